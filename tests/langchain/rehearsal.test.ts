import { describeConversing, describeToolUse } from "./chat-model-suite/chat-model-suite.ts";
import { describeLeavingStreams } from "./chat-model-suite/stopping.ts";
import { rehearsalSubject } from "./program-subject.ts";

describeConversing(rehearsalSubject);
describeLeavingStreams(rehearsalSubject);
describeToolUse(rehearsalSubject);
