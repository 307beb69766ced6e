import { describeConversing, describeToolUse } from "../langchain/chat-model-suite/chat-model-suite.ts";
import { describeExactAnswers } from "../langchain/chat-model-suite/exact-answers.ts";
import { describeOrdinarySchemas } from "../langchain/chat-model-suite/ordinary-schemas.ts";
import { describeReasoning } from "../langchain/chat-model-suite/reasoning.ts";
import { realSubject } from "./langchain-subject.ts";

const subject = realSubject("codex");

describeConversing(subject);
describeToolUse(subject);
describeExactAnswers(subject);
describeReasoning(subject);
describeOrdinarySchemas(subject);
