/** What `New session` sells: something in every part of an order. */
export const DEMO_SESSION = {
  orderId: 'demo-1',
  currencyCode: 'EUR',
  customerId: 'demo-customer',
  customer: { emailAddress: 'customer@example.com' },
  order: {
    countryCode: 'DE',
    lineItems: [
      {
        itemId: 'shoe-1',
        name: 'Blue shoe',
        amount: 3990,
        quantity: 1,
        discountAmount: 500,
        taxAmount: 663,
        productType: 'PHYSICAL',
      },
      { itemId: 'lace-2', name: 'Laces', amount: 174, quantity: 2, productType: 'PHYSICAL' },
    ],
    shipping: { amount: 489 },
  },
} as const
