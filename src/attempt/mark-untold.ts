type Asked = { readonly input: unknown; readonly isDescription?: true };

/** A question without an input says that the CLI did not tell it, whichever wire has read it. */
export function markUntold<Question extends Asked>(question: Question): Question {
  return question.input === null ? { ...question, isDescription: true } : question;
}
