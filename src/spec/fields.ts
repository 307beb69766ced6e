import type { Permissions, RunRequest } from "./request.ts";

/** The names of all fields of a type; one that is missing or too much is a type error. */
export type Fields<Type> = Readonly<Record<keyof Type, true>>;

type Some = Partial<Fields<RunRequest>>;

export const REQUEST_FIELDS: Fields<RunRequest> = {
  ...({ prompt: true, messages: true, images: true, system: true, systemMode: true, outputSchema: true } satisfies Some),
  ...({ mode: true, cwd: true, addDirs: true, permissions: true, onPermissionDenied: true, trustProject: true } satisfies Some),
  ...({ backgroundTasks: true, session: true, mcpServers: true, env: true, auth: true, strict: true } satisfies Some),
  ...({ maxTurns: true, maxOutputTokens: true, effort: true, timeouts: true, budget: true, maxWaitMs: true } satisfies Some),
  ...({ tools: true, hostTools: true, toolChoice: true, invalidCalls: true, marks: true } satisfies Some),
  ...({ threadEncoding: true, trustThread: true, metadata: true } satisfies Some),
};

/** The session that a request continues; undefined also for an id of a wrong type, because a request may not be validated yet. */
export function resumedBy({ session }: Pick<RunRequest, "session">): string | undefined {
  return session !== undefined && "resume" in session && typeof session.resume === "string" ? session.resume : undefined;
}

/** What denies every tool by which a request lets a CLI write. */
const WRITERS: readonly string[] = ["Bash", "Edit", "Write"];

/** True for a request for reading, whatever its mode: its rules do not reach what the CLI and its further tools write in their own way. */
export function deniesWriting({ deny = [] }: Pick<Permissions, "deny">): boolean {
  return WRITERS.every((tool) => deny.includes(tool));
}

/** The form of the session ids of most CLIs, and of our own. */
export const UUID: RegExp = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Throws a TypeError that names the first of the fields of an object that the place does not have. */
export function checkNames(place: string, value: unknown, fields: Readonly<Record<string, unknown>>): void {
  if (typeof value !== "object" || value === null) return;
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name) && Reflect.get(value, name) !== undefined);
  if (unknown === undefined) return;
  throw new TypeError(`${place} has no field ${JSON.stringify(unknown)}. ${didYouMean(unknown, Object.keys(fields))}`.trim());
}

/** The candidate that a misspelt name most likely means, or undefined if none is close. Upper and lower case are the same. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const most = wanted.length < 3 ? 0 : wanted.length < 6 ? 1 : 2;
  let nearest: string | undefined;
  let least = most + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) > most) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance >= least) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest;
}

/** The sentence that suggests the nearest candidate; empty if none is close. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? "" : `Did you mean ${nearest}?`;
}

/** The number of letters to insert, remove, replace or swap with the next one. */
function editDistance(one: string, other: string): number {
  let twoBefore: readonly number[] = [];
  let before: readonly number[] = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const cost = one[row - 1] === other[column - 1] ? 0 : 1;
      const [above = 0, diagonal = 0] = [before[column], before[column - 1]];
      const isSwap = row > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const swapped = isSwap ? (twoBefore[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(above + 1, (current[column - 1] ?? 0) + 1, diagonal + cost, swapped));
    }
    twoBefore = before;
    before = current;
  }
  return before[other.length] ?? 0;
}
