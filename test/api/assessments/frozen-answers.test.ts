import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { targetSnapshots } from '#contract/assessments/targets/target-snapshots.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { facilities } from '#contract/organizations/facilities/facilities.ts'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { makeCaller, testApp, type Caller, type TestApp } from '#test/app.ts'
import { change } from '#test/factories/assessments/add-assessments.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const downloadAs = (who: Caller, path: string, id: string) =>
  who.send({ method: 'GET', url: path.replace('{id}', id) })

/** A questionnaire that a participant submitted, with their receipt. */
async function submit() {
  const added = await ford.addParticipant()
  const { targetId } = added
  const token = await ford.linkOf(added)
  const { accessToken } = await forecourt.anonymous.call(participantArea.open, { token })
  const tom = makeCaller(forecourt.app, accessToken)
  await expect(tom.call(participantArea.verifySubmission, { targetId })).toRefuse(404)
  await tom.call(participantArea.save, {
    targetId,
    mutations: [change('policy', 'written'), change('refilled', false)],
  })
  const receipt = await tom.call(participantArea.submit, { targetId })
  return { targetId, tom, receipt }
}

test('a participant downloads what the receipt is of, and verifies it', async () => {
  const { targetId, tom, receipt } = await submit()
  const { bytes, status, text } = await downloadAs(tom, participantArea.submission.path, targetId)
  expect(status).toBe(200)
  expect(sha256(bytes)).toBe(receipt.sha256)
  expect(z.looseObject({}).parse(JSON.parse(text))).toMatchObject({
    format: 'forecourt assessment answers 1',
    kind: 'submitted',
    names: { organization: 'Northgate Ford', assessment: receipt.assessmentName, target: receipt.targetName },
    answers: [{ questionCode: 'policy', value: 'written' }, { questionCode: 'refilled' }],
    questions: expect.arrayContaining([expect.objectContaining({ code: 'policy' })]),
  })
  const [snapshot] = await admin.call(targetSnapshots.list, { targetId })
  const check = { targetId, sha256: sha256(bytes).toUpperCase() }
  expect(await tom.call(participantArea.verifySubmission, check)).toEqual({
    isIntact: true,
    matchesId: snapshot?.id,
  })
  const other = await submit()
  expect(
    await other.tom.call(participantArea.verifySubmission, {
      targetId: other.targetId,
      sha256: sha256(bytes),
    }),
  ).toEqual({ isIntact: true, matchesId: null })
  // Someone else's.
  await expect(other.tom.call(participantArea.verifySubmission, { targetId })).toRefuse(404)
  expect((await downloadAs(other.tom, participantArea.submission.path, targetId)).status).toBe(404)
})

test('what was submitted and approved stays byte by byte after it is reopened, renamed and answered again', async () => {
  const { targetId, receipt } = await submit()
  await admin.call(assessmentTargets.approve, { id: targetId })
  const frozen = await admin.call(targetSnapshots.list, { targetId })
  expect(frozen.map(({ kind }) => kind)).toEqual(['approved', 'submitted'])
  expect(frozen[1]?.sha256).toBe(receipt.sha256)
  const read = () =>
    Promise.all(
      frozen.map(async ({ id }) => (await downloadAs(admin, targetSnapshots.download.path, id)).bytes),
    )
  const before = await read()
  expect(before.map(sha256)).toEqual(frozen.map((one) => one.sha256))
  await admin.call(assessmentTargets.reopen, { id: targetId, reason: 'A typo' })
  const { assessment, facilityId } = await admin.call(assessmentTargets.get, { id: targetId })
  await admin.call(assessments.update, { id: assessment.id, name: 'Renamed afterwards' })
  if (facilityId !== null) await admin.call(facilities.update, { id: facilityId, name: 'Renamed as well' })
  await forecourt.owner.query('delete from assessment_answers where target_id = $1', [targetId])
  await forecourt.owner.query(
    `delete from users where id in (select user_id from assessment_reviews where target_id = $1
    and user_id <> (select id from users where user_name = 'northgate.admin'))`,
    [targetId],
  )
  const after = await read()
  expect(after.every((bytes, at) => before[at]?.equals(bytes))).toBe(true)
  for (const { id, sha256: hash } of frozen)
    expect(await admin.call(targetSnapshots.verify, { id, sha256: hash })).toEqual({
      isIntact: true,
      matchesId: id,
    })
  // Neither the product nor the owner of the database deletes it.
  const removal = await admin.call(assessmentTargets.remove, { ids: [targetId] })
  expect(removal.left).toMatchObject([{ targetId, reason: 'It has answers, or was submitted.' }])
  const all = forecourt.owner.query('delete from assessment_snapshots where target_id = $1', [targetId])
  await expect(all).rejects.toThrow(/never changed/)
})
