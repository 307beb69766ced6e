import { terminalSocket } from "../../gateway/serve-files.ts";
import type { RunRequest } from "../../spec/request.ts";
import type { RunContext, RunStream } from "../../spec/stream.ts";
import type { Targets } from "../find-provider.ts";
import type { LocalClient } from "../open-client.ts";
import { askServer } from "./ask-server.ts";
import { isPlain } from "./plain-question.ts";
import { surroundingsOf } from "./surroundings.ts";

/** A question without a session. */
export type Question = {
  readonly targets: Targets;
  readonly request: RunRequest;
  readonly retries: number;
};

/** What belongs to the terminal in which a question is asked. */
export type QuestionContext = RunContext & {
  readonly signal: AbortSignal;
  /** Called with the process that runs the question. */
  readonly onWay: (words: string) => void;
};

/**
 * Runs a question on the warm processes of a running `cox serve` of the same user, or in this process if it cannot go there: an agent,
 * MCP servers and CLIs of a configuration file belong to this terminal.
 */
export async function askRunningServer(
  local: LocalClient,
  question: Question,
  { onWay, ...context }: QuestionContext,
): Promise<RunStream> {
  const { targets, request, retries } = question;
  const alone = async (): Promise<RunStream> => (await local.open()).run(targets, request, context);
  const path = process.env["COXSWAIN_SERVE"] === "off" || !isPlain(local, question) ? undefined : socketPath();
  if (path === undefined) return await alone();
  const { signal, commit } = context;
  const surroundings = surroundingsOf(
    process.env,
    targets.map(({ provider }) => provider),
  );
  const line = { surroundings, retries, targets, request, ...(commit !== undefined && { commit }) };
  return askServer({ path, line, signal, alone, onWay });
}

function socketPath(): string | undefined {
  try {
    return terminalSocket(process.env);
  } catch {
    // The state directory cannot be used: the run says so, if it needs one.
    return undefined;
  }
}
