import { expect, test } from 'vitest'
import { answerTemplateRecord } from '#contract/leads/reply-templates/answer-templates.ts'
import { inboundAddressRecord } from '#contract/leads/inbound/inbound-addresses.ts'
import { personRecord } from '#contract/leads/people/people.ts'
import { actionForm } from './assessments/actions/action-form.ts'
import { checkDetails, DETAILS_FORM } from './assessments/assessments/wizard/details-form.ts'
import { BLANK_GAS, blankFor, checkFactor, factorForm } from './carbon/factors/factor-form.ts'
import {
  sourceForm as customSourceForm,
  sourceValues,
} from './carbon/inventories/emission-sources/custom-source-values.ts'
import {
  BLANK_DENOMINATOR,
  blankStart,
  checkStart,
  START_NAMES,
} from './carbon/inventories/start/start-form.ts'
import { channelForm } from './channels/channels/channel-form.ts'
import { lotForm } from './customers/lots/lot-form.ts'
import { sourceForm } from './feeds/sources/source-form.ts'
import { valueForm } from './feeds/values/value-form.ts'
import {
  BLANK as BLANK_LABEL,
  checkWhiteLabel,
  FIELD_NAMES as LABEL_NAMES,
} from './identity/branding/white-label-form.ts'
import { userForm } from './identity/users/user-form.ts'
import { destinationForm } from './leads/destinations/destination-form.ts'
import { BLANK_TARGET, ruleForm as leadRuleForm } from './leads/routing/rules/rule-form.ts'
import { handlerForm } from './mail/handlers/handler-form.ts'
import {
  BLANK as BLANK_PROFILE,
  checkProfile,
  FIELD_NAMES as PROFILE_NAMES,
} from './organizations/profile/profile-form.ts'
import { BLANK_STEP, ruleForm as priceRuleForm } from './pricing/rules/rule-form.ts'
import { placeErrors } from './ui/form/place-errors.ts'
import { recordForm } from './ui/record/record-form.ts'
import {
  type VehicleValues,
  BLANK as BLANK_VEHICLE,
  checkVehicle,
  FIELD_NAMES as VEHICLE_NAMES,
} from './vehicles/vehicles/page/vehicle-values.ts'

type Model = {
  labels: Readonly<Record<string, string>>
  blank: Readonly<Record<string, unknown>>
  // A method, so that each form may check its own values.
  check(this: void, values: object): Record<string, string>
}

const FORMS: Readonly<Record<string, Model>> = {
  action: actionForm,
  assessment: { ...DETAILS_FORM, check: checkDetails },
  factor: { ...factorForm, blank: blankFor({}), check: checkFactor },
  customSource: { ...customSourceForm([{ id: '1' }]), blank: sourceValues(null, ['1']) },
  inventory: { labels: START_NAMES, blank: blankStart('2026-11-18'), check: checkStart },
  channel: channelForm,
  lot: lotForm,
  source: sourceForm,
  value: valueForm,
  whiteLabel: { labels: LABEL_NAMES, blank: BLANK_LABEL, check: checkWhiteLabel },
  user: userForm,
  destination: destinationForm,
  leadRule: leadRuleForm('USD', { isCatchAll: false }),
  handler: handlerForm,
  profile: { labels: PROFILE_NAMES, blank: BLANK_PROFILE, check: checkProfile },
  priceRule: priceRuleForm('USD'),
  template: recordForm(answerTemplateRecord),
  address: recordForm(inboundAddressRecord),
  person: recordForm(personRecord),
  vehicle: {
    labels: VEHICLE_NAMES,
    blank: BLANK_VEHICLE,
    check: (values: VehicleValues) => checkVehicle(values, [], 'USD'),
  },
}
/** What Zod says where the contract has no sentence. */
const RAW = /^(Invalid|Too |Unrecognized)/
const TEXTS = ['', '-5', 'abc', '1.23456']

type Input = {
  form: string
  name: string
  label: string
  /** The sentence for a value; undefined if it is accepted, or if a choice can't have it. */
  say: (text: string) => string | undefined
}

function sayOf({ blank, check }: Model, name: string, change: (text: string) => object): Input['say'] {
  return (text) => {
    const values = { ...blank, ...change(text) }
    try {
      return placeErrors(check(values), values).fields[name]
    } catch {
      return undefined
    }
  }
}

const INPUTS: readonly Input[] = Object.entries(FORMS).flatMap(([form, model]) =>
  Object.entries(model.blank).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [
          {
            form,
            name,
            label: model.labels[name] ?? name,
            say: sayOf(model, name, (text) => ({ [name]: text })),
          },
        ]
      : [],
  ),
)

/** Inputs of the rows inside a form, with the label that the row shows. */
const ROWS: readonly Input[] = [
  ...row('factor', 'gases', BLANK_GAS, { kg: 'kg per unit' }),
  ...row('priceRule', 'steps', BLANK_STEP, { days: 'From day', cents: 'Amount', percent: 'Percentage' }),
  ...row('leadRule', 'targets', BLANK_TARGET, { weight: 'Weight' }),
  ...row('inventory', 'denominators', BLANK_DENOMINATOR, { amount: 'Amount' }),
]

function row(form: string, list: string, blank: object, labels: Readonly<Record<string, string>>): Input[] {
  const model = FORMS[form]
  if (model === undefined) throw new Error(`There is no form ${form}.`)
  return Object.entries(labels).map(([name, label]) => {
    const path = `${list}.0.${name}`
    return {
      form,
      name: path,
      label,
      say: sayOf(model, path, (text) => ({ [list]: [{ ...blank, [name]: text }] })),
    }
  })
}

test.each([...INPUTS, ...ROWS])(
  '$form, $name: $label says what is wrong in words of the product',
  ({ label, say }) => {
    for (const text of TEXTS) expect(say(text) ?? '').not.toMatch(RAW)
    expect(say('') ?? '').not.toMatch(/valid/i)
    // Choices can't have such a text. The sentences of a number name it as its label does, without the unit, or quote what was typed.
    const takesNumbers =
      (say('7') ?? say('2026')) === undefined && !/^$|^Choose|record ID/.test(say('abc') ?? '')
    const [named = label] = label.replace(/ in hours$/, '').split(', ')
    for (const text of takesNumbers ? TEXTS : []) {
      const sentence = say(text) ?? named
      expect(sentence.includes(named) || sentence.includes(`"${text}"`), `${text}: ${sentence}`).toBe(true)
    }
  },
)
