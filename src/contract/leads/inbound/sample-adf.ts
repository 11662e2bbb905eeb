/** What an inbound address accepts, as an example for lead providers. */
export const SAMPLE_ADF = `<?xml version="1.0" encoding="UTF-8"?>
<?adf version="1.0"?>
<adf>
  <prospect status="new">
    <id sequence="1" source="YourCompany">10001</id>
    <requestdate>2026-11-18T09:30:00-08:00</requestdate>
    <vehicle interest="buy" status="used">
      <year>2021</year>
      <make>Ford</make>
      <model>Escape</model>
      <stock>A1234</stock>
    </vehicle>
    <customer>
      <contact>
        <name part="first">Dana</name>
        <name part="last">Sample</name>
        <email>dana.sample@example.com</email>
        <phone type="voice">916-555-0142</phone>
      </contact>
      <comments>Is it still available?</comments>
    </customer>
    <vendor>
      <vendorname>Example Motors</vendorname>
      <contact>
        <name part="full">Example Motors</name>
      </contact>
    </vendor>
    <provider>
      <name part="full">Your company</name>
    </provider>
  </prospect>
</adf>
`
