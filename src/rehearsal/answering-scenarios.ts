import { answer } from "./speech.ts";
import type { Scenario } from "./turn.ts";

const THOUGHT = "The user wants an answer. I have no model, so I cannot know one. I will quote the prompt and say what I am.";
const NUMBERS = Array.from({ length: 10_000 }, (_, index) => `${index + 1} `).join("");

/** A short helpful answer that quotes the prompt, in several pieces. */
export const friendly: Scenario = async (turn) => await answer(turn);

/** The same answer, with a word every 300 ms. */
export const slow: Scenario = async (turn) => await answer(turn, { delayMs: 300 });

/** The same answer after a thought. */
export const reasoning: Scenario = async (turn) => await answer(turn, { thought: THOUGHT });

/** Answers, then stays alive for five seconds without work. */
export const linger: Scenario = async (turn) => {
  const outcome = await answer(turn);
  setTimeout(() => undefined, 5000);
  return outcome;
};

/** The numbers from 1 to 10,000, each in a piece of its own, without a pause. */
export const burst: Scenario = async (turn) => await answer(turn, { said: NUMBERS, delayMs: 0 });
