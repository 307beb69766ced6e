import { describeChatModel } from "../langchain/chat-model-suite/chat-model-suite.ts";
import { describeExactAnswers } from "../langchain/chat-model-suite/exact-answers.ts";
import { describeLeavingStreams } from "../langchain/chat-model-suite/stopping.ts";
import { realSubject } from "./langchain-subject.ts";

const subject = realSubject("claude");

describeChatModel(subject);
describeLeavingStreams(subject);
describeExactAnswers(subject);
