import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const SIGN_IN = 'Passwords and codes are never kept, and the form stays until it is answered.'
const SEARCH = 'A search: nothing is saved.'
const LOCAL = 'It changes what another form or job saves. No call of its own.'
const FILE = 'It belongs to a file, which has to be chosen again after a reload. Locked meanwhile.'
const STAYS = 'An address for a test email. It stays in the field.'

/** Forms and inputs whose text isn't kept, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'carbon/factors/EditionForm.tsx': FILE,
  'carbon/factors/FindDrawer.tsx': SEARCH,
  'carbon/inventories/emission-sources/CellForm.tsx': LOCAL,
  'identity/passwords/ForgotPasswordForm.tsx': SIGN_IN,
  'identity/passwords/ResetPasswordForm.tsx': SIGN_IN,
  'identity/second-factor/ConfirmCode.tsx': SIGN_IN,
  'identity/second-factor/OtpForm.tsx': SIGN_IN,
  'identity/second-factor/PasswordQuestion.tsx': SIGN_IN,
  'identity/sign-in/OrganizationPicker.tsx': SEARCH,
  'identity/sign-in/SetUpForm.tsx': SIGN_IN,
  'identity/sign-in/SignInForm.tsx': SIGN_IN,
  'leads/inbox/person/PersonDataDrawer.tsx': SEARCH,
  'mail/handlers/HandlerTest.tsx': STAYS,
  'mail/templates/TemplateTools.tsx': STAYS,
  'marketing/campaigns/AudienceTab.tsx':
    'Fields of the form of CampaignPage, which keeps them. The call only counts.',
  'marketing/pages/PagePreview.tsx': 'A day that the preview is shown for: nothing is saved.',
  'pricing/rules/RuleImportDrawer.tsx': FILE,
  'questionnaires/import/ImportDrawer.tsx': FILE,
  'questions/QuestionForm.tsx': 'Its users keep the answers with `onDrafts`.',
  'shell/ChangePassword.tsx': SIGN_IN,
  'shell/reauthenticate/CodeStep.tsx': SIGN_IN,
  'shell/reauthenticate/PasswordStep.tsx': SIGN_IN,
  'ui/filter/ConditionForm.tsx': LOCAL,
  'ui/frozen-files/VerifyForm.tsx': SEARCH,
}

/** The form elements of the mechanisms. */
const FRAMES = [
  'participants/area/questionnaire/AreaDialog.tsx',
  'ui/call-form/CallForm.tsx',
  'ui/record/RecordForm.tsx',
]

const FORM = /<form\b/
const TEXT_INPUT = /<(Textarea|TextInput|Autocomplete|NumberField)\b/
const CALL = /\buseMutation\b|\bsend\(|\bupload\(/
/** What keeps typed text on the device. */
const KEEPS =
  /\buse(CallForm|KeptTyping|KeptGuard|RecordForm|Draft)\b|<(ReasonForm|NewRecord|Record(Drawer|Editor|Dialog|Page|Form))\b/
const KEEPS_BY_HAND = /\buseKept(Typing|Guard)\(/
/** What is typed while the call runs: it can't be, or it stays. */
const OUTLIVES_CALL = /<Locked\b|\bwithoutSent\(/

const files = globSync('src/web/**/*.tsx')
  .filter((file) => !file.endsWith('.test.tsx'))
  .map((file) => ({ name: file.slice('src/web/'.length), text: readFileSync(file, 'utf8') }))
const isForm = ({ name, text }: (typeof files)[number]) =>
  !FRAMES.includes(name) && (FORM.test(text) || (TEXT_INPUT.test(text) && CALL.test(text)))

test('what is typed into a form with a call of its own is kept until it was sent', () => {
  const forgetful = files.filter((file) => isForm(file) && !KEEPS.test(file.text)).map(({ name }) => name)
  expect(forgetful.toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted())
})

test('what is typed while a call runs is not lost when it ends', () => {
  const losing = files.filter(
    ({ name, text }) =>
      TEXT_INPUT.test(text) &&
      CALL.test(text) &&
      (KEEPS_BY_HAND.test(text) || EXCEPTIONS[name] === FILE) &&
      !OUTLIVES_CALL.test(text),
  )
  expect(losing.map(({ name }) => name)).toEqual([])
})
