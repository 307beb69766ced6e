import { isUtf8 } from "node:buffer";
import { UsageError } from "../usage-error.ts";

/** The bytes as UTF-8 text; other bytes are a usage error that names the place, because the CLI would get a different text. */
export function decodeText(bytes: Buffer, source: string): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new UsageError(
    `${source} is not UTF-8 text: the byte at offset ${invalidOffset(bytes)} is invalid.`,
    "Convert it to UTF-8 first, for example with iconv.",
  );
}

const LONGEST_CHARACTER = 4;

/** The offset of the first character that is not UTF-8. */
function invalidOffset(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString("utf8"), "utf8");
  let same = 0;
  while (same < bytes.length && bytes[same] === again[same]) same += 1;
  // The replacement character can begin with the same bytes as the invalid one.
  const starts = Array.from({ length: LONGEST_CHARACTER }, (_, back) => same - back);
  return starts.find((start) => start >= 0 && isUtf8(bytes.subarray(0, start))) ?? same;
}
