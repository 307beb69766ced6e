import { CHINESE_WORDS } from "./chinese-words.ts";
import { LIMIT_WORDS } from "./limit-words.ts";
import { LOGIN_WORDS } from "./login-words.ts";
import { MACHINE_WORDS } from "./machine-words.ts";
import { NETWORK_WORDS } from "./network-words.ts";
import { REQUEST_WORDS } from "./request-words.ts";
import { SUBJECT_WORDS } from "./subject-words.ts";
import type { Wording } from "./weights.ts";

/** The words of the CLIs, their services and the operating system; of equal weights the first entry counts. */
export const WORDING: readonly Wording[] = [
  ...MACHINE_WORDS,
  ...LIMIT_WORDS,
  ...NETWORK_WORDS,
  ...REQUEST_WORDS,
  ...LOGIN_WORDS,
  ...CHINESE_WORDS,
  ...SUBJECT_WORDS,
];
