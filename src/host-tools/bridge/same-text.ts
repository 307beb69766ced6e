import { createHash, timingSafeEqual } from "node:crypto";

/** Compares in a time that does not depend on the texts. */
export function isSameText(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
