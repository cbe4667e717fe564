import http.client, json, subprocess, urllib.error, urllib.request

def test_a_refund_is_made_exactly_once_although_the_answer_was_lost():
    command = "npx payctl sandbox start --ephemeral --port 0 --json"
    with subprocess.Popen(command.split(), stdout=subprocess.PIPE) as server:
        ready = json.loads(server.stdout.readline())
        def call(method, path, body=None, **more):
            headers = {"X-API-KEY": "sandbox_all", "X-Api-Version": "2.1", "Content-Type": "application/json", **more}
            request = urllib.request.Request(ready["url"] + path, body and json.dumps(body).encode(), headers, method=method)
            return json.load(urllib.request.urlopen(request))
        try:
            order = dict(paymentMethodToken="tok_autocapture", amount=4990, currencyCode="EUR", orderId="A-1")
            refund = f"/payments/{call('POST', '/payments', order)['id']}/refund"
            call("POST", "/sandbox/faults", {"on": "POST /payments/*/refund", "do": "drop-after", "times": 1})
            for _ in range(2):  # In place of your code, which tries again with the same key.
                try: call("POST", refund, {"amount": 500}, **{"X-Idempotency-Key": "ticket-7"})
                except (http.client.RemoteDisconnected, urllib.error.HTTPError): pass
            assert [request["applied"] for request in call("GET", "/sandbox/requests?on=POST%20" + refund)["data"]] == [False, True]
        finally: call("POST", "/sandbox/stop", {"id": ready["id"]})
