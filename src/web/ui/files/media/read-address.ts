/** The file as an address that holds it (`data:image/png;base64,...`), a third longer than its bytes. */
export function readAddress(file: File): Promise<string> {
  return new Promise((done, failed) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => done(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => failed(new Error('The file could not be read.')))
    reader.readAsDataURL(file)
  })
}
