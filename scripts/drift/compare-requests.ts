import { normalize } from "./normalize.ts";
import type { Observation, RequestObservation } from "./probe.ts";

/** The differences in the requests to the model. */
export type RequestChange = { readonly what: string; readonly from: string; readonly to: string };

/** Smaller differences in size come from ids and dates. */
const SAME_BYTES = 64;

/** Compares the requests that reached the model in a probe: their number, and the bytes, tools, fields, roles and texts of each. */
export function compareRequests(from: Observation, to: Observation): readonly RequestChange[] {
  const shared = Math.min(from.requests.length, to.requests.length);
  const count = { what: "requests", from: String(from.requests.length), to: String(to.requests.length) };
  const each = Array.from({ length: shared }, (_, index) => compareRequest(from, to, index)).flat();
  return [...(count.from === count.to ? [] : [count]), ...each.filter(isFirst)];
}

/** A difference in one request also appears in those that follow. */
function isFirst({ what, from, to }: RequestChange, index: number, all: readonly RequestChange[]): boolean {
  const kind = what.slice(what.indexOf(":"));
  return index === all.findIndex((other) => other.what.endsWith(kind) && other.from === from && other.to === to);
}

function compareRequest(from: Observation, to: Observation, index: number): readonly RequestChange[] {
  const [before, after] = [from.requests[index], to.requests[index]];
  if (before === undefined || after === undefined) return [];
  const number = `request ${index + 1}`;
  const texts = (request: RequestObservation, { root }: Observation): readonly string[] =>
    request.texts.map((text) => normalize(text, root).trim());
  return [
    ...(Math.abs(before.bytes - after.bytes) < SAME_BYTES ? [] : [change(`${number}: bytes`, before.bytes, after.bytes)]),
    ...compareLists(`${number}: tools`, before.tools, after.tools),
    ...compareLists(`${number}: fields`, before.fields, after.fields),
    ...(before.roles.join() === after.roles.join()
      ? []
      : [change(`${number}: roles`, before.roles.join(", "), after.roles.join(", "))]),
    ...compareLists(`${number}: texts`, texts(before, from), texts(after, to), 160),
  ];
}

/** The entries that are in one list and not in the other. */
function compareLists(what: string, before: readonly string[], after: readonly string[], longest = 60): readonly RequestChange[] {
  const format = (list: readonly string[]): string => list.map((text) => JSON.stringify(shorten(text, longest))).join(", ");
  const gone = before.filter((text) => !after.includes(text));
  const added = after.filter((text) => !before.includes(text));
  return gone.length + added.length === 0 ? [] : [{ what, from: format(gone), to: format(added) }];
}

function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}

function change(what: string, from: number | string, to: number | string): RequestChange {
  return { what, from: String(from), to: String(to) };
}
