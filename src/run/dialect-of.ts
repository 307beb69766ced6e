import type { Dialect, DialectContext } from "../spec/dialect.ts";
import type { OutputFormat, Provider } from "../spec/provider.ts";
import type { PromptRequest } from "../spec/request.ts";

/** The dialect in which a provider prints a format. */
export function dialectOf(provider: Provider, format: OutputFormat): Dialect {
  const dialect = provider.formats[format];
  if (dialect === undefined) throw new TypeError(`Provider "${provider.id}" does not print ${format}.`);
  return dialect;
}

/** What the dialect is told of a turn; the totals of an earlier thread are not known here. */
export function turnContext({ session, outputSchema }: PromptRequest): DialectContext {
  const isNew = session === undefined || !("resume" in session || "fork" in session);
  return { wantsObject: outputSchema !== undefined, ...(isNew && { usageBefore: { estimated: false, scope: "thread" } }) };
}
