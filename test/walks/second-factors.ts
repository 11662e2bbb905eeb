import { expect } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import {
  MAIL_CODE_MINUTES,
  MAIL_CODE_SENDS,
  MAIL_CODE_TRIES,
  secondFactor,
} from '#contract/identity/second-factor/second-factor.ts'
import { makeCaller } from '#test/app.ts'
import { codeIn, otherThan, verifyIn } from '#test/factories/identity/second-factor.ts'
import { mailsTo } from '#test/factories/mail/mails.ts'
import { expectedStatus, pick } from './entry.ts'
import {
  ago,
  EMAIL_CODE_USER,
  idOf,
  isTimingUncertain,
  isNear,
  syncFromDatabase,
  now,
  openSession,
  outcomeOf,
  countEvent,
  type Session,
  type Step,
  type World,
} from './world.ts'

const CODE_SECONDS = MAIL_CODE_MINUTES * 60
const isWaiting = ({ user, isVerified }: Session): boolean => user === EMAIL_CODE_USER && !isVerified

const isGood = (world: World): boolean =>
  world.code !== null && world.code.tries < MAIL_CODE_TRIES && ago(world, world.code.at) < CODE_SECONDS

export async function sendOtp(world: World, step: Step): Promise<void> {
  const picked = pick(world, step, { fits: isWaiting })
  if (picked === null) return
  const { session, token } = picked
  const isUnknown =
    isTimingUncertain(world, session, token) || isNear(ago(world, world.sends.since), CODE_SECONDS)
  const expected = isUnknown ? 0 : expectedStatus(world, picked, 'session')
  const { status } = await outcomeOf(
    makeCaller(world.forecourt.app, token).call(secondFactor.sendOtp, { type: 'email' }),
  )
  if (isUnknown) await syncFromDatabase(world, session)
  if (status === 200 || status === 429) countSend(world)
  if (!isUnknown && expected === 200) {
    const whileWaiting = world.sends.count > MAIL_CODE_SENDS ? 429 : 200
    expect(status).toBe(session.isVerified ? 400 : whileWaiting)
  } else if (!isUnknown) expect(status).toBe(expected)
  if (status === 200) await readCode(world)
}

function countSend(world: World): void {
  if (ago(world, world.sends.since) > CODE_SECONDS) world.sends = { since: now(world), count: 0 }
  world.sends.count += 1
}

/** Reads the email: a code that is still valid is sent again, and no other. */
async function readCode(world: World): Promise<void> {
  const mails = await mailsTo(world.forecourt, { id: idOf(world, EMAIL_CODE_USER) })
  const text = codeIn(mails.at(-1))
  expect(text).toMatch(/^\d{6}$/)
  if (world.code !== null && isNear(ago(world, world.code.at), CODE_SECONDS)) world.code = null
  if (world.code !== null && isGood(world)) return expect(text).toBe(world.code.text)
  world.code = { text, at: now(world), tries: 0 }
}

/** Enters the emailed code or a wrong one, and trusts the device or not. */
export async function verifyOtp(world: World, step: Step): Promise<void> {
  if (!isGood(world) && step.age > 1) await sendOtp(world, step)
  const picked = pick(world, step, { fits: isWaiting })
  if (picked === null) return
  const { session, token } = picked
  const isRight = step.seconds > 10
  const known = world.code?.text ?? '000000'
  const isUnknown =
    isTimingUncertain(world, session, token) ||
    (world.code !== null && isNear(ago(world, world.code.at), CODE_SECONDS))
  const expected = isUnknown ? 0 : expectedStatus(world, picked, 'session')
  const verified = await verifyIn(world.forecourt, makeCaller(world.forecourt.app, token), {
    otp: isRight ? known : otherThan(known),
    isTrust: step.age % 2 === 1,
  })
  await world.forecourt.owner.query('delete from iam.sign_in_failures')
  if (isUnknown) await syncFromDatabase(world, session)
  else if (expected !== 200) expect(verified.status).toBe(expected)
  else expect(verified.status).toBe(!session.isVerified && isRight && isGood(world) ? 200 : 400)
  if (world.code !== null && verified.status === 400) world.code.tries += 1
  if (verified.caller === null) return
  countEvent(world, 'verified')
  world.code = null
  world.sends = { since: 0, count: 0 }
  // The waiting session has ended and must be useless from now on.
  session.isRevoked = true
  const next = openSession(world, EMAIL_CODE_USER, verified.caller.token ?? '')
  expect({ isNew: next.id !== session.id, isVerified: next.isVerified }).toEqual({
    isNew: true,
    isVerified: true,
  })
  expect((await verified.caller.call(auth.authFunc, {})).permissions.length).toBeGreaterThan(0)
  if (verified.device !== null) world.device = { cookie: verified.device, at: now(world), isVoid: false }
}
