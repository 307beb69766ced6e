import { describeCorrectedCalls } from "./chat-model-suite/corrected-calls.ts";
import { describeExactAnswers } from "./chat-model-suite/exact-answers.ts";
import { describeImages } from "./chat-model-suite/images.ts";
import { describeOrdinarySchemas } from "./chat-model-suite/ordinary-schemas.ts";
import { describeScriptedAgents } from "./chat-model-suite/scripted-agents.ts";
import { scriptedSubject } from "./program-subject.ts";

describeImages(scriptedSubject);
describeOrdinarySchemas(scriptedSubject);
describeExactAnswers(scriptedSubject);
describeCorrectedCalls(scriptedSubject);
describeScriptedAgents(scriptedSubject);
