import type { ModelAnswer } from "../chat-model-suite/subject.ts";
import { claimAnswer } from "./claim-answer.ts";

// The rehearsal CLI with the model for the script's answer of this start.
const { answer, answers } = claimAnswer();
process.argv[process.argv.indexOf("--model") + 1] = modelFor(answer, answers);
await import(process.env["SCRIPT_REHEARSAL"] ?? "");

/** The tool-caller model calls the tools that the last user message names, and repeats the result afterwards. */
function modelFor({ kind }: ModelAnswer, all: readonly ModelAnswer[]): string {
  switch (kind) {
    case "text":
      return all.some((other) => other.kind === "calls") ? "tool-caller" : "friendly";
    case "calls":
      return "tool-caller";
    case "object":
      return "friendly";
    case "stall":
      return "slow";
    case "failure":
      return "quota";
    case "empty":
      throw new Error("the rehearsal CLI always says something");
  }
}
