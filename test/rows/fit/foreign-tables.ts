/** Headers as exports of payment services and shops have them, each with a made-up row. */
export const FOREIGN_TABLES = {
  stripePayments: [
    'id,Created date (UTC),Amount,Amount Refunded,Currency,Captured,Converted Amount,Converted Amount Refunded,Converted Currency,Decline Reason,Description,Fee,Refunded date (UTC),Statement Descriptor,Status,Seller Message,Taxes On Fee,Card ID,Card Name,Card Address Line1,Card Address City,Card Address Zip,Customer ID,Customer Description,Customer Email,Customer Phone,Card Last4,Card Brand,Card Funding,Card Exp Month,Card Exp Year,Card Issue Country,Invoice ID,Payment Source Type,order_id (metadata)',
    'ch_1,2026-01-31 09:30:00,25.00,0.00,eur,true,25.00,0.00,eur,,Blue shoe for Ada,0.75,,SHOP BERLIN,Paid,Payment complete.,0.00,card_1,Ada Example,Road 1,Berlin,10115,cus_1,,ada@example.com,+49301,4242,Visa,credit,12,2030,DE,,card,A-1',
  ],
  stripeBalance: [
    'id,Type,Source,Amount,Fee,Net,Currency,Created (UTC),Available On (UTC),Description,Customer Facing Amount,Customer Facing Currency,Transfer,Transfer Date (UTC),Transfer Group,order_id (metadata)',
    'txn_1,charge,ch_1,25.00,0.75,24.25,eur,2026-01-31 09:30,2026-02-05 00:00,Blue shoe for Ada,25.00,eur,,,,A-1',
  ],
  stripeItemized: [
    'balance_transaction_id,created_utc,created,available_on_utc,available_on,currency,gross,fee,net,reporting_category,source_id,description,customer_facing_amount,customer_facing_currency,charge_id,payment_intent_id,charge_created_utc,charge_created,payment_method_type,card_brand,card_funding,card_country,statement_descriptor,customer_id,customer_email,customer_name,shipping_address_line1,shipping_address_city',
    'txn_1,2026-01-31 09:30:00,2026-01-31 10:30:00,2026-02-05 00:00:00,2026-02-05 01:00:00,eur,25.00,0.75,24.25,charge,ch_1,Blue shoe,25.00,eur,ch_1,pi_1,2026-01-31 09:30:00,2026-01-31 10:30:00,card,visa,credit,DE,SHOP BERLIN,cus_1,ada@example.com,Ada Example,Road 1,Berlin',
  ],
  adyenSettlement: [
    'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),Payment Method Variant,Modification Merchant Reference,Batch Number',
    'ShopCompany,ShopDE,8535000000000001,A-1,visa,2026-01-31 09:30:00,CET,Settled,8535000000000002,EUR,,25.00,1,EUR,,24.30,0.40,0.10,0.10,0.10,visacredit,,17',
  ],
  shopifyOrders: [
    'Name,Email,Financial Status,Paid at,Fulfillment Status,Currency,Subtotal,Shipping,Taxes,Total,Discount Code,Shipping Method,Created at,Lineitem quantity,Lineitem name,Lineitem price,Billing Name,Billing Street,Billing City,Billing Zip,Billing Country,Billing Phone,Shipping Name,Shipping Address1,Shipping City,Notes,Cancelled at,Payment Method,Payment Reference,Refunded Amount,Vendor,Id,Tags,Source,Phone,Payment ID',
    '#1001,ada@example.com,paid,2026-01-31 10:30:00 +0100,fulfilled,EUR,20.00,5.00,3.99,25.00,,Standard,2026-01-31 10:30:00 +0100,1,Blue shoe,20.00,Ada Example,Road 1,Berlin,10115,DE,+49301,Ada Example,Road 1,Berlin,,,Shopify Payments,c1.1,0.00,Shop,5000000001,,web,,r1',
  ],
  paypalActivity: [
    'Date,Time,TimeZone,Name,Type,Status,Currency,Gross,Fee,Net,From Email Address,To Email Address,Transaction ID,Shipping Address,Address Status,Item Title,Item ID,Shipping and Handling Amount,Sales Tax,Reference Txn ID,Invoice Number,Custom Number,Quantity,Receipt ID,Balance,Address Line 1,Town/City,State/Province/Region/County/Territory/Prefecture/Republic,Zip/Postal Code,Country,Contact Phone Number,Subject,Note,Country Code,Balance Impact',
    '31/01/2026,09:30:00,CET,Ada Example,Express Checkout Payment,Completed,EUR,25.00,-0.75,24.25,ada@example.com,shop@example.com,9AB,"Ada Example, Road 1, Berlin",Confirmed,Blue shoe,shoe-1,0.00,3.99,,A-1,,1,,100.00,Road 1,Berlin,,10115,Germany,,Blue shoe,,DE,Credit',
  ],
} as const satisfies Readonly<Record<string, readonly [header: string, row: string]>>
