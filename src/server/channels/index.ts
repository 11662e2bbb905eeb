// Channels own what leaves the product about vehicles: listings, channel files and their delivery, public feeds.
// They do not own the prices they state (pricing) or the public site (marketing).
// Their rules come from the specification, section 2, and docs/decisions.
export { channelSource } from './channels/channel-list.ts'
export { pictureKey, sealedChannels } from './channels/channel-row.ts'
export { makeChannelWorker } from './channels/channel-worker.ts'
export { addChannel, channelHandlers } from './channels/channels.ts'
export { readQuote } from './listings/current-total.ts'
export { type ListingRow, listingOf, readListings } from './listings/listings.ts'
export { DOCUMENT_PRICE_SURFACES } from './documents/document-price-surfaces.ts'
export { buyerDocumentHandlers } from './documents/buyer-document-handlers.ts'
export { pricePlaceHandlers } from './listings/price-places.ts'
export { publicFeedHandlers } from './public-feeds/public-feeds.ts'
