import { describeRules } from "./chat-model-suite/chat-model-suite.ts";
import { rehearsalSubject } from "./program-subject.ts";

describeRules(rehearsalSubject);
