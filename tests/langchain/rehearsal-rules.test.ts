import { describeChatModelRules } from "./chat-model-suite/chat-model-suite.ts";
import { rehearsalSubject } from "./program-subject.ts";

describeChatModelRules(rehearsalSubject);
