import { askVoided } from './ask-about-bills.ts'
import {
  hasNumber,
  hasOtherNumber,
  isOfDays,
  mayBeOfMeter,
  shareDays,
  splitCredits,
  takenBack,
  type LineBill,
  type StoredBill,
} from './bill-identity.ts'
import type { Questions } from './import-questions.ts'

/**
 * A line that says that its bill holds no longer is left out. If the bill is stored, the user says whether a credit takes it back, which
 * the line becomes then. @returns the records that were asked about.
 */
export function settleVoided(
  voided: readonly LineBill[],
  { stored, questions }: { stored: readonly StoredBill[]; questions: Questions },
): StoredBill[] {
  if (voided.length === 0) return []
  const back = takenBack(...splitCredits(stored))
  const asked = new Set<StoredBill>()
  for (const line of voided) {
    const own = stored.filter((one) => isVoidedBy(line, one) && !back.has(one) && !asked.has(one))
    const record = own.find((one) => hasNumber(line, one)) ?? own[0]
    if (record === undefined) continue
    asked.add(record)
    askVoided(record, line, questions)
  }
  return [...asked]
}

/** The same number for some of its days, or the same days and use and no other number; and no other meter. */
const isVoidedBy = (line: LineBill, one: StoredBill): boolean =>
  one.sourceId === line.sourceId &&
  !one.isCredit &&
  (hasNumber(line, one) ? shareDays(line, one) : one.use === line.use && isOfDays(line, one)) &&
  !hasOtherNumber(line, one) &&
  mayBeOfMeter(one, line)
