/** Why a document can't be read as ADF: a sentence for users. */
export class AdfRefusal extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'AdfRefusal'
  }
}
