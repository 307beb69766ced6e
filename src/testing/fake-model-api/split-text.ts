const usualPieces = 4;
const largestPiece = 4096;

/** Splits a text into pieces of about the same size, never inside a character. */
export function splitText(
  text: string,
  count: number = Math.max(usualPieces, Math.ceil(text.length / largestPiece)),
): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0, piece = 1; from < text.length; piece += 1) {
    const to = toCharacterStart(text, Math.max(from + 1, Math.round((text.length * piece) / count)));
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

/** Moves the position past the second half of a surrogate pair. */
function toCharacterStart(text: string, index: number): number {
  const splits = /[\uD800-\uDBFF]/.test(text.charAt(index - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(index));
  return splits ? index + 1 : index;
}
