"""Whether a service counts as gone is known for each model by itself, also where several share an address."""

from tasks.models.http.endpoints import EndpointPool, Limiters

GATEWAY = "http://gateway.example/v1"


def test_a_model_that_gets_no_answer_does_not_end_another_on_the_same_gateway():
    limiters = Limiters()
    one, other = EndpointPool(GATEWAY, limiters, "url"), EndpointPool(GATEWAY, limiters, "url")
    for _ in range(50):
        one.unreachable(one.take())
    other.unreachable(other.take())
    assert one.dead and not other.dead


def test_answers_to_another_model_do_not_keep_a_dead_one_waiting():
    limiters = Limiters()
    one, other = EndpointPool(GATEWAY, limiters, "url"), EndpointPool(GATEWAY, limiters, "url")
    for _ in range(50):
        one.unreachable(one.take())
        other.answered(other.take())
    assert one.dead and not other.dead


def test_a_model_with_another_address_that_answers_goes_on():
    pool = EndpointPool([GATEWAY, "http://second.example/v1"], Limiters(), "url")
    for _ in range(50):
        pool.unreachable(pool.take())
        pool.answered(pool.take())
    assert not pool.dead
