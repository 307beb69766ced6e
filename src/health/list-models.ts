import { redactFailure } from "../failures/redact.ts";
import { secretsOf } from "../failures/run-secrets.ts";
import { locate } from "../launch/locate.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { ModelReport } from "../spec/health.ts";
import type { Provider } from "../spec/provider/provider.ts";
import { askProgram } from "./ask-program.ts";
import type { Check } from "./validate-environment.ts";

/** The catalogue of codex 0.166.0 has 745 kB. */
const LONGEST_LIST = 8 * 1024 * 1024;
/** The first list of opencode 1.18.33 takes 6 s. */
const TIMEOUT_MS = 30_000;
const MODEL_NAME = /^[^\s\p{C}-][^\s\p{C}]{0,199}$/u;

/** The models of a CLI: its own list if it has one and prints it, otherwise those that Coxswain knows. Makes no model request. */
export async function listModels(check: Check): Promise<ModelReport> {
  const { id, label, models, defaultModel } = check.provider;
  const about = { provider: id, label, ...(defaultModel !== undefined && { defaultModel }) };
  const listed = await askForModels(check);
  if (listed === undefined) return { ...about, models, source: "built-in" };
  return "code" in listed
    ? { ...about, models, source: "built-in", failure: listed }
    : { ...about, models: listed, source: "cli" };
}

async function askForModels({ host, provider, target, options }: Check): Promise<readonly string[] | Failure | undefined> {
  const { modelList, label } = provider;
  if (modelList === undefined) return undefined;
  const found = locate(provider, host.env);
  if (!("command" in found)) return found;
  const { timeoutMs = TIMEOUT_MS } = options;
  const output = await askProgram(provider, found, host, { args: modelList.args, timeoutMs, target, longest: LONGEST_LIST });
  if (!("stdout" in output)) return output;
  if (output.hasTimedOut) return createFailure("total-timeout", `${label} did not list its models within ${timeoutMs} ms.`);
  const names = output.exitCode === 0 ? readNames(provider, output.stdout) : [];
  if (names.length > 0) return names;
  const { exitCode } = output;
  const failure = createFailure("unclassified", `${label} did not list its models.`, {
    hint: "Choose a known model, or see the documentation of the CLI.",
    evidence: { stderrTail: output.stderr, ...(exitCode !== undefined && { exitCode }) },
  });
  return redactFailure(failure, secretsOf(provider, {}, host.env)());
}

/** The list of another version may have any form. */
function readNames({ modelList }: Provider, stdout: string): readonly string[] {
  try {
    return [...new Set(modelList?.read(stdout) ?? [])].filter((name) => MODEL_NAME.test(name));
  } catch {
    return [];
  }
}
