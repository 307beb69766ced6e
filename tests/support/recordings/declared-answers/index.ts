import type { Recording } from "../../../../src/replay/replay.ts";
import { readDeclaredAnswers, readDeclaredCodexAnswers, readDeclaredQwenAnswers } from "../read-declared-answers.ts";
import { readDeclaredCopilotAnswers } from "./copilot.ts";
import { readDeclaredGeminiAnswers } from "./gemini.ts";
import { readDeclaredGrokAnswers } from "./grok.ts";
import { readDeclaredOpencodeAnswers } from "./opencode.ts";
import { readDeclaredRoleAnswers } from "./role-messages.ts";

/** The answers of the turns, read from the raw lines without the code under test, for the CLIs that have such a reader. */
export const answerReaders: Readonly<Record<string, (recording: Recording) => readonly string[]>> = {
  claude: readDeclaredAnswers,
  codex: readDeclaredCodexAnswers,
  gemini: readDeclaredGeminiAnswers,
  qwen: readDeclaredQwenAnswers,
  opencode: readDeclaredOpencodeAnswers,
  copilot: readDeclaredCopilotAnswers,
  grok: readDeclaredGrokAnswers,
  "grok-vibe": readDeclaredRoleAnswers,
  "ax-glm": readDeclaredRoleAnswers,
  glm: readDeclaredAnswers,
};
