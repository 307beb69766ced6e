import type { Failure } from "../../spec/failure/failure.ts";
import { FAILURE_CODES, type FailureCode } from "../../spec/failure/failure-codes.ts";

/** A reason that the words of a message name, and the hint that helps against it more than the hint of its code. */
type WordedHint = readonly [code: FailureCode, words: RegExp, hint: string];

/** A limit that ends by itself, with or without a stated time. */
const ENDS_BY_ITSELF =
  /\bresets?\b|\b(?:try|retry) (?:again|later|after)\b|\bwait\b|\b(?:hour|week|month|year)ly\b|\bdaily\b|\b(?:today|tomorrow|rolling)\b|重置|恢复/i;

const WORDED_HINTS: readonly WordedHint[] = [
  [
    "quota-exhausted",
    /\bpaused for (?:your|this|the) (?:org|team|workspace)/i,
    "Ask an administrator of your organization or the vendor's support, or use another provider.",
  ],
  [
    "quota-exhausted",
    /\bseat type\b|\b(?:ask|contact|tell) (?:your|the|an) (?:[\w-]+ ){0,2}(?:admin|owner)|\b(?:disabled|set|limited) by (?:your|the|an) (?:[\w-]+ ){0,2}(?:admin|owner)|\blimit is set to \$0/i,
    "Ask an administrator of your organization for usage, or use another provider. This does not end by itself.",
  ],
  [
    "quota-exhausted",
    /\bcredit balance\b|\b(?:insufficient|not enough|no|low|negative|out of|more|requires?|add)(?: [\w-]+)? (?:credits?|funds|balance)\b|\b(?:out of|run out of|requires?|draws? from(?: your)?) (?:extra usage|credits)\b|\busage credits (?:are )?required\b|\bpayment required\b|余额|充值|欠费/i,
    "Use another model or provider, or add credit to this account. This does not end by itself.",
  ],
  [
    "access-denied",
    /\bviolat|\bTOS_VIOLATION\b/i,
    "Only the vendor can enable this account again. Use the appeal or the contact that the message names, or the vendor's support.",
  ],
  [
    "access-denied",
    /\bdisabled (?:for your (?:org|team|workspace)|by (?:your|the|an) (?:[\w-]+ ){0,2}(?:admin|owner))/i,
    "Ask an administrator of your organization to enable this service.",
  ],
  [
    "access-denied",
    /\bclient is no longer supported for\b/,
    "The vendor no longer serves this login with this CLI. Set up another kind of login, such as an API key.",
  ],
  [
    "not-logged-in",
    /\b(?:oauth|log-?in|sign-?in)\b[^.\n]{0,40}\bdiscontinued\b/i,
    "The vendor has ended this login. Set up another one of those that the message names, or an API key.",
  ],
];

/** The failure with the hint for what its message says, unless it has a hint of its own or waiting helps. */
export function withWordedHint(failure: Failure): Failure {
  const { code, hint, resetAt, retryAfterMs } = failure;
  if (hint !== FAILURE_CODES[code].hint) return failure;
  const message = failure.message.replaceAll("\u2019", "'");
  if (code === "quota-exhausted" && (resetAt !== undefined || retryAfterMs !== undefined || ENDS_BY_ITSELF.test(message)))
    return failure;
  const found = WORDED_HINTS.find(([of, words]) => of === code && words.test(message));
  return found === undefined ? failure : { ...failure, hint: found[2] };
}
