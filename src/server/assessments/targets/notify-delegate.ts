import type { Delegation } from '#contract/assessments/targets/collaboration.ts'
import { isAnswerable } from '#contract/assessments/targets/target-states.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { textIn, type Texts } from '#contract/questions/texts.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { type Identity, writeToUser } from '#server/identity/index.ts'
import { readTargetContext } from './target-context.ts'
import { readPeople } from './target-people.ts'
import type { Answerer } from './answer-scope.ts'
import type { Invitations } from './invitations.ts'
import { readPinnedVersion } from './pinned-version.ts'

type InTenant = <T>(work: (db: Database) => Promise<T>) => Promise<T>
type Delegated = Readonly<{ targetId: string; delegation: Delegation; by: Answerer }>

/**
 * Emails someone what was delegated to them: a user what to answer, a person without an account a new link. No one is emailed
 * before the assessment opens, about submitted answers, or by themselves.
 */
export async function notifyDelegate(
  { identity, invitations }: { identity: Identity; invitations: Invitations },
  inTenant: InTenant,
  delegated: Delegated,
): Promise<void> {
  const found = await inTenant((db) => readDelegate(db, delegated))
  if (found === null) return
  const { target, person, part } = found
  if (person.userId === null) {
    await invitations.invite(inTenant, { ids: [person.id], byName: delegated.by.name })
    return
  }
  const mail = await writeToUser(
    identity,
    { customerId: target.customerId, userId: person.userId },
    {
      key: 'assessment-delegation',
      variables: {
        byName: delegated.by.name,
        assessment: target.assessmentName,
        rows: target.name,
        due: writeDay(target.dueOn),
        cells: part,
      },
      path: `/assessments/${target.assessmentId}/targets/${target.id}`,
    },
  )
  if (mail === null) return
  await inTenant((db) => identity.outbox.put(db, { ...mail, organizationId: target.organizationId }))
}

async function readDelegate(db: Database, { targetId, delegation, by }: Delegated) {
  const target = await readTargetContext(db, targetId)
  if (target.status !== 'open' || !isAnswerable(target.state)) return null
  const person = (await readPeople(db, targetId)).find(({ id }) => id === delegation.assigneeId)
  if (person === undefined || (person.userId !== null && person.userId === by.userId)) return null
  const { compiled } = await readPinnedVersion(db, target)
  const { languages, sections } = compiled.definition
  const title = (texts: Texts | undefined) => textIn(texts, languages[0] ?? 'en', languages)
  const { sectionId, questionCode, rowKey } = delegation
  const section = sections.find(({ id }) => id === sectionId)
  const question = compiled.byCode.get(questionCode ?? '')?.question
  const part =
    section === undefined
      ? `${rowKey === null ? 'The question' : 'One row of'} “${title(question?.title)}”`
      : `The section “${title(section.title)}”`
  return { target, person, part }
}
