import { pathInJson, RUN_DIRECTORY, type TempFile } from "../../spec/provider/cli-data.ts";
import type { FaultRule, LaunchOptions, LaunchParts } from "../../spec/provider/provider.ts";
import type { Refusal } from "../../spec/provider/provider-facts.ts";
import type { PromptRequest } from "../../spec/request.ts";

/** In a completion the tools fail; the model may try them several times before it answers. */
const PATIENT_ROUNDS = 5;
/** The default of the CLIs that print role messages. */
const AGENT_ROUNDS = 400;

/** A CLI that prints role messages has one flag for the prompt and none to disable its tools, and it leaves a file in its working directory. */
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

/** Refuses every permission mode except the one that the CLIs with role messages have. */
export function refuseRoleMessages({ mode, permissions }: PromptRequest): Refusal | undefined {
  if (mode !== "agent" || permissions?.mode === "bypass") return undefined;
  return {
    code: "option-unsupported",
    message: "This CLI runs every tool without approval, and no option prevents it.",
    hint: 'Choose permission mode "bypass" if that is meant, or another provider.',
  };
}

export const ROLE_LIMITATIONS: readonly string[] = [
  "It sends its own system prompt and the list of its tools with each request; in completion mode every tool call fails.",
  "In agent mode it runs every tool without approval, so Coxswain accepts only the permission mode bypass.",
  "The prompt is passed as an argument, which other users of the machine can see. The limit is 131,000 bytes.",
  "It prints no output until it has finished, reports no usage, and supports no sessions and no system prompt.",
];

/**
 * A script for `NODE_OPTIONS` that disables the tools of a CLI that runs in Node and has no switch for them. The process
 * can start no program, and of the file system it sees only its own code and, for its settings, its home and its directory.
 */
export const TOOLS_OFF: TempFile = {
  name: "tools-off.cjs",
  content: `"use strict";
const fs = require("fs");
const child = require("child_process");
const { dirname, resolve, sep } = require("path");
const { fileURLToPath } = require("url");

const off = () => {
  throw new Error("The tools of this CLI are switched off.");
};
const home = process.env.HOME || process.env.USERPROFILE || process.cwd();
const program = process.argv[1] ? dirname(dirname(fs.realpathSync(process.argv[1]))) : process.cwd();
const isIn = (folder, path) => path === folder || path.startsWith(folder + sep);
const isCode = (path) => isIn(program, path) || path.includes(sep + "node_modules" + sep);
const isOwn = (path) => isCode(path) || isIn(home, path) || isIn(process.cwd(), path);
const toPath = (place) => {
  if (typeof place === "number") return program;
  return resolve(place instanceof URL ? fileURLToPath(place) : String(place));
};

function guard(owner, name, isAllowed) {
  const original = owner[name];
  if (typeof original !== "function" || !/^[a-z]/.test(name)) return;
  const guarded = (place, ...rest) => (isAllowed(toPath(place)) ? original.call(owner, place, ...rest) : off());
  owner[name] = Object.assign(guarded, original);
}

for (const name of Object.keys(child)) if (typeof child[name] === "function") child[name] = off;
for (const name of Object.keys(fs.promises)) guard(fs.promises, name, isCode);
for (const name of Object.keys(fs)) {
  if (name.endsWith("Sync")) guard(fs, name, isOwn);
  else if (name + "Sync" in fs || /^(?:create\\w+Stream|openAsBlob|watch\\w*)$/.test(name)) guard(fs, name, isCode);
}
require("module").syncBuiltinESMExports();
`,
};

/** The error texts of the CLIs that print role messages; fixtures/ax-glm and grok-vibe. The shared rules read the HTTP statuses. */
export const ROLE_FAULTS: readonly FaultRule[] = [
  { kind: "max_tool_rounds", code: "turn-limit" },
  { kind: "shutdown", code: "interrupted" },
  { text: /currently overloaded/, code: "overloaded" },
  {
    text: /Cannot read properties of undefined \(reading '0'\)|response validation failed|No response from/,
    code: "upstream-garbled",
  },
  { text: /Interactive mode not supported/, code: "cli-misconfigured" },
];
