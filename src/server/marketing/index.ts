// Marketing owns what buyers use: the public sites, forms and what they send.
// It does not own vehicles, prices or channels (inventory), or emails (mail).
// Its rules come from the specification, section 2, and docs/decisions.
export { addForm, formHandlers, formSource, publishForm } from './forms/forms.ts'
export { sweepFormFiles } from './forms/form-files.ts'
export { sweepFormLimits } from './forms/form-limits.ts'
export { readPublicForm, type PublicForm, type Receiver } from './forms/public-forms.ts'
export { saveSubmission } from './forms/save-submission.ts'
export { addLeadOfSubmission } from './forms/submission-lead.ts'
export { submissionHandlers, submissionSource } from './forms/submissions.ts'
export { hasDueForms, takeDueForms, unfinishedForms } from './forms/unfinished-forms.ts'
export { sweepWaitingFiles } from './forms/receive-later.ts'
export { addLayout, layoutHandlers, layoutTable, saveLayout } from './layouts/layouts.ts'
export {
  addPage,
  findPageUses,
  pageHandlers,
  pageTable,
  publishPage,
  sweepPromoPages,
} from './pages/promo-pages.ts'
export { addCampaign, campaignHandlers, makeShortUrl } from './campaigns/campaigns.ts'
export { campaignTable } from './campaigns/campaign-table.ts'
export { campaignRecipientHandlers, recipientSource } from './campaigns/recipient-list.ts'
export { importedListHandlers } from './campaigns/imported-lists.ts'
export { listJob, saveImportedList } from './campaigns/save-imported-list.ts'
export { makeCampaignWorker, sendCampaignNow } from './campaigns/campaign-worker.ts'
export { readSiteOf } from './site/site-host.ts'
export { checkPublishedPages, customersWithPages } from './pages/page-checks.ts'
export { pictureCheck } from './pages/check-pictures.ts'
export { savedBlocksHandlers, savedBlocksTable } from './saved-blocks/saved-blocks.ts'
export { pagePreviewHandlers } from './pages/preview-page.ts'
export { shortUrlHandlers } from './short-urls/short-urls.ts'
export { addShortUrl, shortUrlTable } from './short-urls/short-url-table.ts'
export { makeTargetChecks, type TargetChecks } from './short-urls/check-targets.ts'
export { sweepShortUrls } from './visits/count-clicks.ts'
export { makeSites, type Sites } from './sites.ts'
export { SITE_PRICE_SURFACES } from './site/site-price-surfaces.ts'
