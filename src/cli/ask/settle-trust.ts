import { forgetTrust, type JudgedProject, rememberedTrust, rememberTrust } from "../../launch/trusted-projects.ts";
import { inRealDirectory, projectPrograms } from "../../request/project/check-project.ts";
import { findProvider } from "../../request/targets.ts";
import { thrownMessage } from "../../spec/failure/failure.ts";
import type { Provider } from "../../spec/provider/provider.ts";
import type { RunRequest, Targets } from "../../spec/request.ts";
import type { SessionRecord } from "../../spec/session.ts";
import { keyboardOf } from "../terminal/keyboard.ts";
import { pageWidth, type Screen } from "../terminal/screen.ts";
import { wrapWords } from "../terminal/table.ts";

export type TrustedAgent = {
  readonly providers: readonly Provider[];
  readonly targets: Targets;
  readonly asked: { readonly record?: SessionRecord } | undefined;
  readonly request: Omit<RunRequest, "prompt">;
};

export type Person = { readonly screen: Screen; readonly signal: AbortSignal };

/**
 * Whether the agent may start what its project names, if the command line does not say so: the answer of the person at this terminal, who is asked once
 * per directory. It holds also for a session that was trusted before, because by now the project may name something else. `--no-trust-project` removes
 * the answer.
 */
export async function settleTrust(agent: TrustedAgent, person: Person | undefined): Promise<{ readonly trustProject?: boolean }> {
  const { providers, targets, asked, request } = agent;
  const stored = asked?.record && { ...asked.record.settings, cwd: asked.record.cwd };
  const place = inRealDirectory({ prompt: "", ...stored, ...request, mode: "agent", trustProject: false });
  const clis = targets.map((target) => target.provider).toSorted();
  const cwd = place.cwd ?? ".";
  if (request.trustProject === false) forgetQuietly({ cwd, clis });
  if (request.trustProject !== undefined || person === undefined) return {};
  const known = targets.flatMap((target) => findProvider({ providers }, target.provider) ?? []);
  const programs = [...new Set(known.flatMap((provider) => projectPrograms(provider, place, process.env)))];
  if (programs.length === 0) return {};
  const project = { cwd, clis, programs };
  const isTrusted = rememberedTrust(process.env, project) ?? (await askTrust(project, known, person));
  return { trustProject: isTrusted };
}

/** A state directory that cannot be used stores no answer, and a directory that does not exist has none. */
function forgetQuietly(project: Omit<JudgedProject, "programs">): void {
  try {
    forgetTrust(process.env, project);
  } catch {
    // The run says what is wrong with its directory.
  }
}

const YES = ["y", "yes"];
const NO = ["n", "no", ""];
const CHOICE = "  y = yes, n or nothing = no, run without them; then Enter: ";
const SPAN = "The answer is remembered for this directory, until something else would start. --no-trust-project forgets it.";

async function askTrust(project: JudgedProject, providers: readonly Provider[], person: Person): Promise<boolean> {
  const { screen, signal } = person;
  const keyboard = keyboardOf(process.stdin);
  await keyboard.discard(signal);
  const labels = [...new Set(providers.map(({ label }) => label))].join(" and ");
  const lines = project.programs.flatMap((line) => wrapped(line, "    "));
  screen.note(`${screen.noteColors.yellow("?")} Trust this project? ${labels} would start what it names:\n${lines.join("")}`);
  screen.note(screen.noteColors.dim(wrapped(SPAN, "  ").join("")));
  for (;;) {
    screen.note(CHOICE);
    const typed = (await keyboard.readLine(signal))?.trim().toLowerCase();
    if (typed === undefined) screen.note("\n");
    if (typed === undefined) return false;
    if (YES.includes(typed) || NO.includes(typed)) return remembered(project, YES.includes(typed), screen);
  }
}

function wrapped(line: string, indent: string): readonly string[] {
  return wrapWords(line, pageWidth() - indent.length, true).map((row) => `${indent}${row}\n`);
}

function remembered(project: JudgedProject, isTrusted: boolean, screen: Screen): boolean {
  try {
    rememberTrust(process.env, project, isTrusted);
  } catch (error) {
    screen.note(`${screen.noteColors.dim(`  The answer holds for this run only: ${thrownMessage(error)}.`)}\n`);
  }
  return isTrusted;
}
