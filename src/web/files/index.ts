// The media of a customer as other screens use them: pictures by their paths, and putting new ones there.
// Not here: the page of the media itself.
// Rules: contract/files/files.ts. Pictures are behind the sign-in, so they are fetched and shown as blobs.
export { ensureFolder, sendFile } from './file-manager.ts'
export { usePictures } from './media/use-pictures.ts'
