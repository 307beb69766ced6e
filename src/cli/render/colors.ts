import picocolors from "picocolors";

/** Functions that colour a text, or return it unchanged when colours are off. */
export type Colors = ReturnType<typeof picocolors.createColors>;

/** Colours for a stream: only on a terminal that can show them, and never when NO_COLOR is set. */
export function colorsFor(stream: NodeJS.WriteStream): Colors {
  const isForbidden = Boolean(process.env["NO_COLOR"]) || process.env["TERM"] === "dumb";
  return picocolors.createColors(stream.isTTY === true && !isForbidden);
}
