import { describeChatModel } from "./chat-model-suite/chat-model-suite.ts";
import { describeLeavingStreams } from "./chat-model-suite/stopping.ts";
import { rehearsalSubject } from "./program-subject.ts";

describeChatModel(rehearsalSubject);
describeLeavingStreams(rehearsalSubject);
