import { pathInJson, RUN_DIRECTORY } from "../../spec/provider/launch-plan.ts";
import type { LaunchOptions, LaunchParts, Refusal } from "../../spec/provider/provider.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { TOOLS_OFF } from "./tools-off.ts";

/** In a completion the tools fail; the model may try them several times before it answers. */
const PATIENT_ROUNDS = 5;
/** The default of these CLIs. */
const AGENT_ROUNDS = 400;

/**
 * Arguments and environment of a CLI that prints role messages. It has one flag for the prompt and none to disable its tools,
 * and it leaves a file in its working directory.
 */
export function launchRoleMessages(request: PromptRequest, { model, env = {} }: LaunchOptions): LaunchParts {
  const isAgent = request.mode === "agent";
  const rounds = request.maxTurns ?? (isAgent ? AGENT_ROUNDS : PATIENT_ROUNDS);
  const inherited = env["NODE_OPTIONS"];
  const args = [
    `--prompt=${request.prompt}`,
    ...["--max-tool-rounds", String(rounds)],
    ...(isAgent ? [] : ["--directory", RUN_DIRECTORY]),
    ...(model === undefined ? [] : ["--model", model]),
  ];
  if (isAgent) return { args };
  const preload = `--require "${pathInJson(TOOLS_OFF)}"`;
  return { args, env: { NODE_OPTIONS: inherited ? `${inherited} ${preload}` : preload }, tempFiles: [TOOLS_OFF] };
}

/** Refuses every permission mode except the one of these CLIs. */
export function refuseRoleMessages({ mode, permissions }: PromptRequest): Refusal | undefined {
  if (mode !== "agent" || permissions?.mode === "bypass") return undefined;
  return {
    code: "option-unsupported",
    message: "This CLI runs every tool without approval, and no option prevents it.",
    hint: 'Choose permission mode "bypass" if that is meant, or another provider.',
  };
}

/** Limitations of all of them. */
export const ROLE_LIMITATIONS: readonly string[] = [
  "It sends its own system prompt and the list of its tools with each request; in completion mode every tool call fails.",
  "In agent mode it runs every tool without approval, so Coxswain accepts only the permission mode bypass.",
  "The prompt is passed as an argument, which other users of the machine can see. The limit is 131,000 bytes.",
  "It prints no output until it has finished, reports no usage, and supports no sessions and no system prompt.",
];
