import { pathOf, RUN_DIRECTORY, type TempFile, type Variables } from "../../spec/provider/cli-data.ts";
import type { LaunchOptions, LaunchParts } from "../../spec/provider/provider.ts";
import type { Refusal, Surroundings } from "../../spec/provider/provider-facts.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { refuseEdits } from "../shared/refuse.ts";
import { OPENCODE_AGENT, opencodeConfig, pickModelSettings } from "./config.ts";
import { misreadEntry, refuseOpencodePatterns } from "./permissions.ts";
import { projectEnvironment } from "./project.ts";

/** Arguments, environment and files of one `opencode run` process; each was checked with 1.18.33. */
export function launchOpencode(request: PromptRequest, { model, env = {} }: LaunchOptions): LaunchParts {
  const config = opencodeConfig(request, model);
  const file: TempFile = { name: "opencode.json", content: config };
  const isFileFree = !env["OPENCODE_CONFIG"];
  return {
    args: [
      ...["run", "--format", "json", "--thinking", "--agent", OPENCODE_AGENT],
      ...(request.mode === "agent" ? ["--title="] : ["--pure", "--title", "Coxswain"]),
      ...(model === undefined ? [] : ["--model", model]),
      ...sessionArguments(request),
    ],
    env: {
      // OpenCode leaves a library of 5.5 MB there at each run.
      BUN_TMPDIR: RUN_DIRECTORY,
      ...(request.mode === "agent" ? projectEnvironment(request) : pureEnvironment(request, env)),
      ...(isFileFree ? { OPENCODE_CONFIG: pathOf(file) } : { OPENCODE_CONFIG_CONTENT: config }),
      ...(request.maxOutputTokens === undefined
        ? {}
        : { OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX: String(request.maxOutputTokens) }),
    },
    tempFiles: [file],
  };
}

/** Refuses requests that OpenCode would change: without a model it sends the prompt to its own hosted service. */
export function refuseOpencode(request: PromptRequest, options: Pick<LaunchOptions, "model" | "env">): Refusal | undefined {
  const { model, env = {} } = options;
  const [file, content] = [env["OPENCODE_CONFIG"], env["OPENCODE_CONFIG_CONTENT"]];
  if (file && content) {
    return {
      code: "cli-misconfigured",
      message: "OPENCODE_CONFIG and OPENCODE_CONFIG_CONTENT are both set, and Coxswain needs one of them for the run.",
      hint: "Unset one of the two variables.",
    };
  }
  if (model !== undefined && !/^[^/]+\/./.test(model))
    return { ...NO_MODEL, message: `"${model}" does not name a provider of OpenCode.` };
  const misread = misreadEntry(request);
  if (misread !== undefined) {
    return {
      code: "option-unsupported",
      message: `OpenCode would misread "${misread}" in its permission rules.`,
      hint: "Use no pattern that is a number (123 as 123*), and no directory with * or ? in its name.",
    };
  }
  if (model === undefined && request.mode !== "agent" && !file && !content) return NO_MODEL;
  return refuseEdits(request, BY_LINKS) ?? refuseOpencodePatterns(request);
}

/** It compares the path that the model gives with the working directory, and does not follow links (1.18.33). */
const BY_LINKS = {
  label: "OpenCode",
  reason: "its tools also change files outside of the working directory, by a link of the project, and those of .git.",
};

const NO_MODEL: Refusal = {
  code: "model-unknown",
  message: "No model is chosen, and OpenCode would send the prompt to its own hosted service.",
  hint: "Choose one as opencode/<provider>/<model>; `opencode models` lists them.",
  fixCommand: "opencode models",
};

/** None of the user's instructions, agents, plugins and skills; a completion without a session is not stored. */
function pureEnvironment(request: PromptRequest, env: Surroundings): Variables {
  return {
    XDG_CONFIG_HOME: "",
    OPENCODE_CONFIG_DIR: "",
    OPENCODE_PERMISSION: "",
    OPENCODE_DISABLE_PROJECT_CONFIG: "1",
    OPENCODE_DISABLE_CLAUDE_CODE: "1",
    OPENCODE_DISABLE_EXTERNAL_SKILLS: "1",
    OPENCODE_DISABLE_AUTOCOMPACT: "1",
    OPENCODE_DB: request.session === undefined ? ":memory:" : "coxswain.db",
    ...(env["OPENCODE_CONFIG_CONTENT"] && { OPENCODE_CONFIG_CONTENT: pickModelSettings(env["OPENCODE_CONFIG_CONTENT"]) }),
  };
}

function sessionArguments({ session = { keep: true } }: PromptRequest): readonly string[] {
  if ("resume" in session) return ["--session", session.resume];
  return "fork" in session ? ["--session", session.fork, "--fork"] : [];
}
