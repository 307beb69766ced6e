import type { Part } from "../run/part.ts";

/** Binds each attempt of a part to the session of its context, if it has one. */
export function bindSession(part: Part): Part {
  return (targets, request, context) => (context.session?.(part) ?? part)(targets, request, context);
}
