import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { users } from '#contract/identity/users/users.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { startSignIn } from '#test/factories/identity/second-factor.ts'
import { timeCode } from '#test/factories/identity/time-code.ts'
import { mailsTo, wordIn } from '#test/factories/mail/mails.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { DEMO_PASSWORD as password } from '../../../demo/world.ts'

let forecourt: TestApp
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())
afterEach(() =>
  forecourt.owner.query('drop trigger if exists broken on outbox_mails; drop function if exists break_off()'),
)

async function addOwner() {
  const userName = fresh('owner').replace(' ', '.')
  return { userName, id: await ford.addMember({ userName, userType: 'Participant' }) }
}

/** What each email says happened, without greeting and advice. */
const toldTo = async (owner: { id: string }): Promise<string[]> =>
  (await mailsTo(forecourt, owner)).map(({ text }) => text.split('\n')[2]?.split(' Your account is')[0] ?? '')

test('the owner is told what they, or who has their session, changed about signing in', async () => {
  const owner = await addOwner()
  const me = await forecourt.as(owner.userName)
  const { secret } = await me.call(secondFactor.startAuthenticator, { password })
  await me.call(secondFactor.confirmAuthenticator, { otp: await timeCode({ secret }) })
  const { backupCodes } = await me.call(secondFactor.renewBackupCodes, { password })
  const waiting = await startSignIn(forecourt, owner.userName)
  await waiting.call(secondFactor.verifyOtp, { otp: backupCodes[0] ?? '' })
  await me.call(secondFactor.removeAuthenticator, { password })
  await me.call(auth.changePassword, { oldPassword: password, newPassword: 'AnotherOne8!' })
  expect(await toldTo(owner)).toEqual([
    'An authenticator app was turned on. From now on, signing in asks for its codes.',
    'New backup codes were generated. Earlier ones no longer work.',
    'A backup code was used to sign in. 9 of your codes are left.',
    'Your authenticator app was turned off, and its backup codes and trusted devices were removed.',
    'Your password was changed. Your other sessions were ended.',
  ])
  const [mail] = await mailsTo(forecourt, owner)
  expect(mail).toMatchObject({
    subject: 'A change to how you sign in to Forecourt',
    text: expect.stringMatching(
      /This happened on .* UTC with .*, from the address [\d.:a-f]+\.[^]*change your password[^]*\/account\/security/,
    ),
  })
  expect(mail?.text).not.toContain(secret)
})

test('a changed email address is told to the old address and the new one, and a link that sets a password, too', async () => {
  const owner = await addOwner()
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const email = `${owner.userName}@elsewhere.example`
  await admin.call(users.update, { user: { id: owner.id, email, jobTitle: 'Clerk' } })
  await admin.call(users.update, { user: { id: owner.id, jobTitle: 'Chief clerk' } })
  const mails = await mailsTo(forecourt, owner)
  expect(mails.map(({ toEmail }) => toEmail)).toEqual([`${owner.userName}@people.example`, email])
  for (const { text } of mails) {
    expect(text).toContain('The email address of your account is now o\u2022\u2022\u2022@e')
    expect(text).toMatch(/Dana Whitfield did this on .* UTC\./)
    expect(text).not.toContain(email)
  }
  await admin.call(users.sendPasswordMail, { id: owner.id })
  const resetValue = wordIn((await mailsTo(forecourt, owner)).at(-1))
  await forecourt.anonymous.call(auth.resetPassword, { resetValue, password: 'AnotherOne8!' })
  expect((await toldTo(owner)).at(-1)).toBe(
    'Your password was set with a link from an email. All your sessions were ended.',
  )
})

test('an invited user is not told, and what cannot be told is done all the same', async () => {
  const invited = { id: await ford.createUser() }
  const owner = await addOwner()
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  await admin.call(users.update, { user: { id: invited.id, email: 'right@people.example' } })
  expect(await mailsTo(forecourt, invited)).toEqual([])
  await forecourt.owner.query(
    `create function break_off() returns trigger language plpgsql as $$ begin raise exception 'broken off'; end $$;
    create trigger broken before insert on outbox_mails for each row execute function break_off()`,
  )
  const email = `${owner.userName}@elsewhere.example`
  await expect(admin.call(users.update, { user: { id: owner.id, email } })).resolves.toMatchObject({ email })
})
