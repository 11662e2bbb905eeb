import type { Action } from '#contract/assessments/actions/actions.ts'
import { localeFormat } from '#contract/parsing/locale-format.ts'
import { parseNumber } from '#contract/parsing/parse-number.ts'

/** What is in the inputs. */
export type ActionValues = {
  title: string
  note: string
  ownerId: string | null
  dueOn: string
  cost: string
  tonnes: string
  status: Action['status']
}
export type ActionInput = {
  title: string
  note: string | null
  ownerId: string | null
  dueOn: string | null
  costCents: number | null
  expectedTonnes: string | null
  status: Action['status']
}

/** The inputs of an action, or of a new one. */
export function valuesOf(title: string, stored: Action | null): ActionValues {
  const cost = stored?.costCents ?? null
  return {
    title,
    note: stored?.note ?? '',
    ownerId: stored?.ownerId ?? null,
    dueOn: stored?.dueOn ?? '',
    cost: cost === null ? '' : String(cost / 100).replace('.', localeFormat().decimal),
    tonnes: (stored?.expectedTonnes ?? '').replace('.', localeFormat().decimal),
    status: stored?.status ?? 'open',
  }
}

/** What was typed as it is sent, or what is wrong with it. Costs are read in whole cents, never through a fraction. */
export function readValues(values: ActionValues): { input: ActionInput } | { wrong: Record<string, string> } {
  const { title, note, ownerId, dueOn, cost, tonnes, status } = values
  const format = localeFormat()
  const read = (text: string) => (text.trim() === '' ? { value: null } : parseNumber(text, format))
  const [money, savings] = [read(cost), read(tonnes)]
  const wrong: Record<string, string> = {}
  if (title.trim() === '') wrong['title'] = 'Action is required.'
  if ('refusal' in money) wrong['costCents'] = money.refusal
  else if (money.value !== null && !/^\d{1,10}(\.\d{1,2})?$/.test(money.value))
    wrong['costCents'] = 'Enter an amount such as 1200 or 1200.50.'
  if ('refusal' in savings) wrong['expectedTonnes'] = savings.refusal
  if (Object.keys(wrong).length > 0 || 'refusal' in money || 'refusal' in savings) return { wrong }
  return {
    input: {
      title: title.trim(),
      note: note.trim() === '' ? null : note.trim(),
      ownerId,
      dueOn: dueOn === '' ? null : dueOn,
      costCents: money.value === null ? null : toCents(money.value),
      expectedTonnes: savings.value,
      status,
    },
  }
}

function toCents(digits: string): number {
  const [whole = '0', rest = ''] = digits.split('.')
  return Number(whole) * 100 + Number(rest.padEnd(2, '0'))
}
