/** Any text as a TOML string: a JSON string in which U+007F is escaped too. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}
