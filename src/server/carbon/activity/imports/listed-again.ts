import type { LineBill, StoredBill } from './bill-identity.ts'
import { correctedRecord } from './corrected-deliveries.ts'
import { otherAccounts } from './other-accounts.ts'
import type { ReadingPlan } from './read-line.ts'
import { twiceBilled } from './twice-billed.ts'

/**
 * Records that a line may list again under another number and meter: the bill of another company, or of another account of its meter, and
 * the delivery that it corrects. @param stored the bills that count
 */
export function listedAgain(
  stored: readonly StoredBill[],
  lines: readonly LineBill[],
  {
    plan,
    ofDays,
  }: { plan: Pick<ReadingPlan, 'proposal'>; ofDays: (line: LineBill) => readonly StoredBill[] },
): (line: LineBill, one: StoredBill) => boolean {
  const twice = new Map<LineBill, Set<StoredBill>>()
  const bills = lines.filter(({ isCredit }) => !isCredit)
  const accounts = otherAccounts(plan)
  const { areDevices } = accounts
  for (const [one, line] of twiceBilled<StoredBill | LineBill>([...stored, ...bills], { areDevices }))
    if (!('read' in one) && 'read' in line) twice.set(line, (twice.get(line) ?? new Set()).add(one))
  const held = new Set(stored)
  return (line, one) =>
    twice.get(line)?.has(one) === true ||
    accounts.isStored(line, one) ||
    correctedRecord(
      line,
      ofDays(line).filter((record) => held.has(record)),
    ) === one
}
