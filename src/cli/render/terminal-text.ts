// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** The text without characters that could move the cursor or change the terminal; newlines and tabs stay. */
export function toTerminalText(text: string): string {
  return text.replace(CONTROL_CHARACTERS, "");
}

/** The text on one line and at most so long; what is left out shows as an ellipsis. */
export function toOneLine(text: string, length: number): string {
  const line = toTerminalText(text.replace(/\s+/g, " ").trim());
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** Milliseconds as people say them. */
export function toDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
