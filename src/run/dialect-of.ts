import type { Dialect } from "../spec/dialect.ts";
import type { OutputFormat, Provider } from "../spec/provider.ts";

/** The dialect in which a provider prints a format. */
export function dialectOf(provider: Provider, format: OutputFormat): Dialect {
  const dialect = provider.formats[format];
  if (dialect === undefined) throw new TypeError(`Provider "${provider.id}" does not print ${format}.`);
  return dialect;
}
