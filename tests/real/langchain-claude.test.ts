import { describeConversing } from "../langchain/chat-model-suite/chat-model-suite.ts";
import { describeOrdinarySchemas } from "../langchain/chat-model-suite/ordinary-schemas.ts";
import { describeReasoning } from "../langchain/chat-model-suite/reasoning.ts";
import { describeLeavingStreams } from "../langchain/chat-model-suite/stopping.ts";
import { realSubject } from "./langchain-subject.ts";

const subject = realSubject("claude");

describeConversing(subject);
describeLeavingStreams(subject);
describeReasoning(subject);
describeOrdinarySchemas(subject);
