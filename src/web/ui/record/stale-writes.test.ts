import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { listEndpoints } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'

/** The form that sends the version, and answers a stale one with compare, reload or overwrite. */
const FORMS: Readonly<Record<string, string>> = {
  'answerTemplates.update': 'leads/reply-templates/TemplateDrawer.tsx',
  'assessmentAnswers.updateEvidence': 'assessments/targets/panel/EvidenceCard.tsx',
  'assessmentActions.update': 'assessments/actions/ActionDrawer.tsx',
  'assessments.update': 'assessments/assessments/wizard/DetailsForm.tsx',
  'carbonInventories.update': 'carbon/inventories/start/StartForm.tsx',
  'campaigns.update': 'marketing/campaigns/CampaignPage.tsx',
  'channels.update': 'channels/channels/ChannelDrawer.tsx',
  'customSources.update': 'carbon/inventories/emission-sources/CustomSourceForm.tsx',
  'customerDetails.update': 'customers/details/DetailsForm.tsx',
  'dvpLayouts.update': 'marketing/layouts/LayoutDrawer.tsx',
  'savedBlocks.update': 'marketing/saved-blocks/SavedBlocksDrawer.tsx',
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
  'leadMoves.copy': 'leads/inbox/lead/SendToStore.tsx',
  'leadMoves.move': 'leads/inbox/lead/SendToStore.tsx',
  'leads.update': 'leads/inbox/lead/LeadSubjectForm.tsx',
  'lots.update': 'customers/lots/LotDrawer.tsx',
  'organizationProfiles.update': 'organizations/profile/ProfileForm.tsx',
  'people.update': 'leads/inbox/person/PersonForm.tsx',
  'pricingRules.update': 'pricing/rules/RuleEditor.tsx',
  'providerMappings.update': 'feeds/mappings/MappingForm.tsx',
  'promoPages.update': 'marketing/pages/PromoPagePage.tsx',
  'questionnaires.update': 'questionnaires/editor/SettingsTab.tsx',
  'shortUrls.update': 'marketing/short-urls/ShortUrlDrawer.tsx',
  'userTypes.update': 'identity/user-types/TypeForm.tsx',
  'users.update': 'identity/users/UserForm.tsx',
  'valueMappings.update': 'feeds/values/ValueMappingDrawer.tsx',
  'vehiclePrices.setSpecial': 'pricing/totals/SpecialPriceCard.tsx',
  'vehicles.update': 'vehicles/vehicles/page/VehicleForm.tsx',
  'whiteLabels.save': 'identity/branding/WhiteLabelForm.tsx',
}

const GRID = 'A grid, which shows the conflict in its cells.'
const ACTION = 'An action with at most a reason, which stays. Its refusal is shown, with what is there now.'
const ASKS = 'An action. It shows what is there now, and asks whether to do it all the same.'
const NO_FORM = 'For callers of the API; no form sends it.'

/** Why no form answers a stale version with the dialog. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'activities.approve': ACTION,
  'activities.returnRecords': ACTION,
  'activities.save': GRID,
  'activities.submit': ACTION,
  'carbonAssignments.choose': GRID,
  'campaigns.pause': ACTION,
  'campaigns.resume': ACTION,
  'campaigns.schedule': ACTION,
  'campaigns.stop': ACTION,
  'carbonAssignments.save': GRID,
  'carbonInventories.add': 'A new record: the field is accepted and ignored.',
  'carbonInventories.restate': ACTION,
  'carbonInventories.setStatus': ACTION,
  'customers.setStatus': ACTION,
  'dvpLayouts.restore': ASKS,
  'emailTemplates.restore': ACTION,
  'forms.publish': ACTION,
  'instruments.save': NO_FORM,
  'inventoryReopenings.request': ACTION,
  'leads.accept': ASKS,
  'leads.assign': ASKS,
  'leads.giveBack': ASKS,
  'leads.release': ASKS,
  'leads.setOutcome': ASKS,
  'leads.snooze': ASKS,
  'organizations.save': NO_FORM,
  'providerMappings.restore': ACTION,
  'promoPages.discardDraft': ACTION,
  'promoPages.publish': ACTION,
  'questionnaires.discardDraft': ACTION,
  'questionnaires.publish': ACTION,
  'ruleRequests.approve': ACTION,
  'ruleRequests.ask': 'Sent by the editor of rules, whose own save has compared the version.',
  'ruleRequests.preview': 'Shows what saving would change, and changes nothing.',
  'ruleRequests.reject': ACTION,
  'ruleRequests.withdraw': ACTION,
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

/** What callers send of the record as they saw it, if not its version. */
const SEEN = ['known', 'before', 'versions']

function takesSeen(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodPipe) return takesSeen(schema.def.in)
  return schema instanceof z.ZodObject && SEEN.some((name) => Object.hasOwn(schema.shape, name))
}

/** Calls that change or remove what is there without its version and without what was seen of it, by the reason. */
const UNVERSIONED: Readonly<Record<string, string>> = {
  'It is about the caller alone: their session, password, devices, settings or absence.':
    'auth.signIn auth.refreshToken auth.changeOrganization auth.keepAlive auth.signOut auth.forgotPassword auth.resetPassword auth.changePassword auth.saveAppearance secondFactor.sendOtp secondFactor.verifyOtp secondFactor.beginSetup secondFactor.finishSetup secondFactor.startAuthenticator secondFactor.confirmAuthenticator secondFactor.removeAuthenticator secondFactor.renewBackupCodes secondFactor.forgetDevice impersonation.impersonate sessions.end sessions.endAll google.signIn setUp.begin leadNotices.update leadAbsences.setOwn views.setDefault assessmentPresence.report participantArea.open participantArea.signOut participantArea.setLanguage participantArea.reportPresence',
  'It removes something whose content nobody edits (a file, a comment, an address, an imported edition), or its author alone does.':
    'suppressions.remove people.removeContact largeUploads.cancel factorEditions.remove evidence.remove assessmentAnswers.removeComment assessmentAnswers.removeEvidence participantArea.removeEvidence vehiclePhotos.undoUpload',
  'It removes all of what was selected, imported or found, whatever it holds: after a question, or with an undo.':
    'files.delete sameFiles.remove importedTotals.remove activityImports.undo valueMappings.removeMany leads.discard personData.erase assessmentTargets.remove importedLists.remove',
  'It brings back what was removed, as it was; the call is refused if something else is there now.':
    'vehicles.restore sameFiles.restore mediaMoves.undo activities.restore importedTotals.restore evidence.restore customSources.restore people.undoMerge leadMoves.undo feedRuns.undo jobs.undo',
  'It sets one state that the button names, and the state that it starts from is checked.':
    'organizations.archive organizations.restore sessions.endOfUser sessions.endSessionsOfUser secondFactor.reset whiteLabels.verify inventoryReopenings.confirm inventoryReopenings.decline inventoryReopenings.withdraw targetReopenings.request targetReopenings.confirm targetReopenings.decline targetReopenings.withdraw baseYear.dismiss feedRuns.readAgain feedRuns.apply feedRuns.cancel feedRuns.fixRow feedRuns.answerPrices feedRuns.answerQuestions feedRuns.answerMileages inboundAddresses.revoke inboundMessages.retry inboundMessages.dismiss inboundMessages.dismissAutomatic people.merge people.tellApart people.revoke people.consent assessments.open assessments.close assessments.reopen assessmentTargets.submit assessmentTargets.startReview assessmentTargets.requestChanges assessmentTargets.approve assessmentTargets.reopen assessmentVersions.change assessmentAnswers.takeBack leadDestinations.resume forms.close promoPages.unpublish submissions.release questionnaires.openDraft questionnaires.retire questionnaires.restore assessmentParticipants.revoke participantArea.takeBack participantArea.submit jobs.cancel outgoing.begin',
  'It sets one value of many rows or of a person that the user chose, which is shown, recorded and can be set back.':
    'users.change lots.change vehicles.unlock vehicles.change dealerIds.assign dealerIds.release leadAbsences.set people.updateContact assessmentTargets.reassign assessmentTargets.changeDueDate assessmentTargets.changeSize assessmentParticipants.extend participantArea.useEvidence files.rename mediaMoves.move',
  'It makes a new secret, key or link in place of the last one, after a question.':
    'feedSources.forgetHostKey feedSources.renewToken channels.renewAddress channels.forgetHostKey inboundAddresses.renewUrls leadDestinations.secret assessmentParticipants.copyLink',
  'It sends, runs, reads or calculates something, and changes no fields of a record that people edit.':
    'users.sendPasswordMail outbox.reveal outbox.sendAgain emailHandlers.test emailTemplates.test mailEvents.take customers.invite customers.revealInvitation ledger.recalculate dataRequests.ask dataRequests.remind feedSources.fetch feedSources.test inboundFeeds.push inboundFeeds.mail channels.run valueMappings.apply leads.logCall leads.sendEmail inboundLeads.adf inboundLeads.mail personData.export assessmentTargets.remind assessmentAnswers.comment assessmentAnswers.delegate leadDestinations.sendTest leadDeliveries.replay leadDeliveries.replayMany assessmentParticipants.send importedLists.ask participantArea.delegate participantArea.remind participantArea.ask reports.startExport',
  'It adds something new, or refuses a name that is in use.':
    'files.createDirectory files.upload largeUploads.begin largeUploads.part largeUploads.complete carbonInventories.copy providerMappings.importOne assessments.duplicate questionnaires.duplicate',
  'Its file or its suggestions say what becomes of each row, which is shown before.':
    'ruleFiles.import ruleFiles.importLowest valueMappings.importMany unmappedValues.resolve unmappedValues.acceptSure',
  'Each answer says which one it replaces, and meets another one in the questionnaire.':
    'assessmentAnswers.save participantArea.save',
}

/** New records, such as `lots.add`. */
const ADDS = /\.add/

test('every call that changes what is there takes its version or what was seen of it, or says why it needs neither', () => {
  const unversioned = listEndpoints(contract).flatMap(({ name, endpoint }) => {
    const needsNone = !endpoint.writes || ADDS.test(name) || versioned.includes(name)
    return needsNone || takesSeen(endpoint.input) ? [] : [name]
  })
  const reasoned = Object.values(UNVERSIONED).flatMap((names) => names.split(' '))
  expect(unversioned.toSorted()).toEqual(reasoned.toSorted())
})

/** Deletions of a version that no `askToRemove` answers. */
const OTHER_DELETIONS: Readonly<Record<string, string>> = {
  'activities.remove': GRID,
  'instruments.remove': NO_FORM,
  'vehiclePrices.endSpecial': ASKS,
}

const takesSelection = (input: z.ZodType) =>
  input instanceof z.ZodObject && Object.hasOwn(input.shape, 'selection')

const deletions = listEndpoints(contract).flatMap(({ name, endpoint }) =>
  (endpoint.method === 'DELETE' || takesSelection(endpoint.input)) && versioned.includes(name) ? [name] : [],
)

test('every deletion of a version is asked about again if the record was changed meanwhile', () => {
  const root = new URL('../../', import.meta.url)
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => readFileSync(new URL(file, root), 'utf8'))
  const unasked = deletions.filter((name) => {
    const callers = sources.filter((source) => new RegExp(`(send\\(|endpoint: )${name}\\b`).test(source))
    return !callers.some((source) => /\baskToRemove\(|<RecordDrawer\b|\bdocumentActions\b/.test(source))
  })
  // Their drawers delete one with `removeMany`, whose undo adds it as it was.
  const jobs = [
    'campaigns.remove',
    'dvpLayouts.remove',
    'lots.remove',
    'savedBlocks.remove',
    'shortUrls.remove',
  ]
  expect(unasked.toSorted()).toEqual([...jobs, ...Object.keys(OTHER_DELETIONS)].toSorted())
})

test('every call that takes a version names the form that calls it, or why none answers a stale version', () => {
  const saving = versioned.filter((name) => !deletions.includes(name))
  expect(saving.toSorted()).toEqual([...Object.keys(FORMS), ...Object.keys(EXCEPTIONS)].toSorted())
})

test.each(Object.entries(FORMS))(
  'a stale version at %s can be compared, reloaded or overwritten',
  (name, file) => {
    const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
    expect(source).toContain(`(${name})`)
    expect(source).toMatch(/<(RecordDrawer|RecordPage|RecordDialog|RecordEditor|StaleDialog)\b|\bstale: \{/)
  },
)
