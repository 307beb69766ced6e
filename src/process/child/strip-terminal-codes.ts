const [ESC, BEL, ST] = ["\\u001B", "\\u0007", "(?:\\u001B\\\\|\\u009C)"];

/**
 * CSI (colours, cursor, modes), OSC (titles, links), DCS, SOS, PM and APC strings in 7-bit and 8-bit form, and two-character
 * codes.
 */
const TERMINAL_CODES: RegExp = new RegExp(
  [
    `(?:${ESC}\\[|\\u009B)[0-?]*[ -/]*[@-~]`,
    `(?:${ESC}\\]|\\u009D)[^${BEL}${ESC}\\u0080-\\u009F]*(?:${BEL}|${ST})`,
    `(?:${ESC}[PX^_]|[\\u0090\\u0098\\u009E\\u009F])[^${ESC}\\u0080-\\u009F]*${ST}`,
    `${ESC}[ -/]*[0-~]`,
  ].join("|"),
  "g",
);

export function stripTerminalCodes(text: string): string {
  return text.replace(TERMINAL_CODES, "");
}
