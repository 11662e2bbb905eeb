import { findAmount } from '#contract/pricing/totals/typed-amounts.ts'
import { textsOf } from '#contract/questions/check-texts.ts'
import { type DefinitionFault, Faults } from '#contract/questions/definition-fault.ts'
import type { Definition, Question } from '#contract/questions/definition.ts'
import type { Texts } from '#contract/questions/texts.ts'
import type { FormTexts, FormTranslations } from './form-texts.ts'

/** What visitors can pay, have or owe. */
const OF_VISITORS =
  /\b(?:budgets?|afford|income|salary|wages?|earn|owe[ds]?|spend(?:ing)?|price (?:range|limit)|presupuesto|ingresos?|gastar)\b/iu
/** What is asked of them: "How much do you pay now?", "Your monthly payment". */
const ASKED_OF_VISITORS =
  /\b(?:you|your|su|usted)\b.*\b(?:price|pay|paid|payments?|worth|rent|loan|balance|cost|mortgage)\b|\b(?:price|pay|paid|payments?|worth|rent|loan|balance|cost|mortgage)\b.*\b(?:you|your|su|usted)\b/iu

/** Ranges to choose from: "Under $20,000", "$20,000 to $30,000", "Up to 400 a month", "$40,000+". */
const RANGE =
  /^(?:under|up to|less than|below|over|more than|above|between|from|at least|at most|menos de|m[aá]s de|hasta|entre)\b.*\d|\d\S* ?(?:to|-|–|—|and|a|y) ?\$?\d|\d\+|\b(?:or|and) (?:more|less|up|under|over|above|below)$/iu

/** The texts of a form besides its questions, in all languages. */
export type ShownTexts = { [Name in keyof FormTexts]?: string | null | undefined } & {
  translations?: FormTranslations | undefined
}

/** What is wrong with the texts of a form besides its questions, by field: an amount that no engine calculated. */
export function formPriceFaults({ translations = {}, ...own }: ShownTexts): Record<string, string> {
  const all = [
    ...TEXTS.map((name) => ({ field: name, text: own[name] })),
    ...Object.entries(translations).flatMap(([tag, texts]) =>
      TEXTS.map((name) => ({ field: `translations.${tag}.${name}`, text: texts[name] })),
    ),
  ]
  return Object.fromEntries(
    all.flatMap(({ field, text }) => {
      const amount = amountIn(text ?? '')
      return amount === null ? [] : [[field, typedByHand(amount)]]
    }),
  )
}

const TEXTS = ['name', 'thankYouTitle', 'thankYouText', 'replySubject', 'replyText'] as const

/**
 * The same of its steps and questions. Questions about what visitors can pay may name amounts, in their choices and help, too:
 * "What is your budget?" with "Under $20,000".
 */
export function questionPriceFaults(draft: Definition): DefinitionFault[] {
  const faults = new Faults(draft)
  for (const { path, texts } of textsOf(draft)) {
    const [, section, part, at] = path
    const question = part === 'questions' ? draft.sections[Number(section)]?.questions[Number(at)] : undefined
    if (question !== undefined && isAboutTheirMoney(question)) continue
    const amount = inAnyLanguage(texts)
    if (amount !== null) faults.error(path, typedByHand(amount))
  }
  return faults.all
}

/** Notes and consents ask nothing. */
const isAboutTheirMoney = (question: Question): boolean =>
  question.type !== 'note' &&
  question.type !== 'consent' &&
  (Object.values(question.title).some((text) => OF_VISITORS.test(text) || ASKED_OF_VISITORS.test(text)) ||
    rangesOf(question) > 1)

/** How many of a question's choices are ranges of amounts, which offer nothing. */
const rangesOf = (question: Question): number =>
  'choices' in question
    ? question.choices.filter(({ title }) => Object.values(title).some((text) => RANGE.test(text.trim())))
        .length
    : 0

function inAnyLanguage(texts: Texts): string | null {
  for (const text of Object.values(texts)) {
    const amount = amountIn(text)
    if (amount !== null) return amount
  }
  return null
}

const amountIn = (text: string): string | null => findAmount(text, { mayBeOff: false })
const typedByHand = (amount: string): string =>
  `“${amount}” is typed by hand. Prices come from the price engine: remove it, and show vehicles on the page of the form.`
