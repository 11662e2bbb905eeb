import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { listEndpoints } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'

/** The form that sends the version, and answers a stale one with compare, reload or overwrite. */
const FORMS: Readonly<Record<string, string>> = {
  'answerTemplates.update': 'leads/reply-templates/TemplateDrawer.tsx',
  'assessmentActions.update': 'assessments/actions/ActionDrawer.tsx',
  'assessments.update': 'assessments/assessments/wizard/DetailsForm.tsx',
  'carbonInventories.update': 'carbon/inventories/start/StartForm.tsx',
  'channels.update': 'channels/channels/ChannelDrawer.tsx',
  'customSources.update': 'carbon/inventories/emission-sources/CustomSourceForm.tsx',
  'customerDetails.update': 'customers/details/DetailsForm.tsx',
  'emailHandlers.update': 'mail/handlers/HandlerDrawer.tsx',
  'emailTemplates.update': 'mail/templates/TemplateForm.tsx',
  'facilities.update': 'organizations/facilities/FacilityDrawer.tsx',
  'factors.update': 'carbon/factors/FactorForm.tsx',
  'feedSources.update': 'feeds/sources/SourceDrawer.tsx',
  'forms.update': 'marketing/forms/builder/FormEditor.tsx',
  'inboundAddresses.update': 'leads/inbound/AddressDrawer.tsx',
  'leadDestinations.update': 'leads/destinations/DestinationDrawer.tsx',
  'leadRoutingRules.update': 'leads/routing/rules/RuleDrawer.tsx',
  'leadSettings.update': 'leads/inbox/LeadSettingsDrawer.tsx',
  'lots.update': 'customers/lots/LotDrawer.tsx',
  'organizationProfiles.update': 'organizations/profile/ProfileForm.tsx',
  'people.update': 'leads/inbox/person/PersonForm.tsx',
  'pricingRules.update': 'pricing/rules/RuleEditor.tsx',
  'providerMappings.update': 'feeds/mappings/MappingForm.tsx',
  'questionnaires.update': 'questionnaires/editor/SettingsTab.tsx',
  'userTypes.update': 'identity/user-types/TypeForm.tsx',
  'users.update': 'identity/users/UserForm.tsx',
  'valueMappings.update': 'feeds/values/ValueMappingDrawer.tsx',
  'vehicles.update': 'vehicles/vehicles/page/VehicleForm.tsx',
  'whiteLabels.save': 'identity/branding/WhiteLabelForm.tsx',
}

const GRID = 'A grid, which shows the conflict in its cells.'
const ACTION = 'An action with at most a reason. Its refusal is shown.'
const NO_FORM = 'For callers of the API; no form sends it.'

/** Why no form answers a stale version with the dialog. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'activities.approve': ACTION,
  'activities.remove': GRID,
  'activities.returnRecords': ACTION,
  'activities.save': GRID,
  'activities.submit': ACTION,
  'carbonAssignments.choose': GRID,
  'carbonAssignments.save': GRID,
  'carbonInventories.add': 'A new record: the field is accepted and ignored.',
  'carbonInventories.restate': ACTION,
  'carbonInventories.setStatus': ACTION,
  'customers.setStatus': ACTION,
  'emailTemplates.restore': ACTION,
  'forms.publish': ACTION,
  'instruments.save': NO_FORM,
  'inventoryReopenings.request': ACTION,
  'leads.accept': ACTION,
  'leads.assign': ACTION,
  'leads.giveBack': ACTION,
  'leads.release': ACTION,
  'leads.setOutcome': ACTION,
  'leads.snooze': ACTION,
  'leads.update': NO_FORM,
  'organizations.save': NO_FORM,
  'pricingRules.remove': ACTION,
  'providerMappings.restore': ACTION,
  'questionnaires.discardDraft': ACTION,
  'questionnaires.publish': ACTION,
  'ruleRequests.approve': ACTION,
  'ruleRequests.ask': 'Sent by the editor of rules, whose own save has compared the version.',
  'ruleRequests.reject': ACTION,
  'ruleRequests.withdraw': ACTION,
  'vehicles.remove': ACTION,
  'vehicles.updateCells': GRID,
  'views.update': 'Two fields in a menu: it asks whether to overwrite.',
}

/** Drafts have versions inside (of consents), which aren't those of the record. */
const DRAFTS = new Set(['draft', 'definition'])

function takesVersion(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries<z.core.$ZodType>(schema.shape)
    return fields.some(([name, field]) => name === 'version' || (!DRAFTS.has(name) && takesVersion(field)))
  }
  return innerOf(schema).some(takesVersion)
}

function innerOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options
  if (schema instanceof z.ZodPipe) return [schema.def.in]
  if (schema instanceof z.ZodArray) return [schema.element]
  if (schema instanceof z.ZodRecord) return [schema.valueType]
  const wraps =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
  return wraps ? [schema.unwrap()] : []
}

const versioned = listEndpoints(contract).flatMap(({ name, endpoint }) =>
  takesVersion(endpoint.input) ? [name] : [],
)

test('every call that takes a version names the form that calls it, or why none answers a stale version', () => {
  expect(versioned.toSorted()).toEqual([...Object.keys(FORMS), ...Object.keys(EXCEPTIONS)].toSorted())
})

test.each(Object.entries(FORMS))(
  'a stale version at %s can be compared, reloaded or overwritten',
  (name, file) => {
    const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
    expect(source).toContain(`(${name})`)
    expect(source).toMatch(/<(RecordDrawer|RecordPage|RecordDialog|RecordEditor|StaleDialog)\b/)
  },
)
